import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { wordsOf } from './api.js';
import type { Resource } from './discovery.js';
import { may, type Wish } from './session.js';

export interface Known {
  /** Undefined until the server has answered. */
  readonly allowed: boolean | undefined;
  /** Why not, in the words of the server. Undefined if it is allowed, and until it is known. */
  readonly unavailable: string | undefined;
}

/** Whether the caller may do something, for as long as a component is shown. */
export function useMay(
  verb: string,
  resource: Resource | undefined,
  place: Pick<Wish, 'namespace' | 'name' | 'subresource'> = {},
): Known {
  const known = useSignal<Known>({ allowed: undefined, unavailable: undefined });
  const about = JSON.stringify([verb, resource?.group, resource?.resource, place]);
  useEffect(() => {
    if (resource === undefined) return;
    let isShown = true;
    const tell = (allowed: boolean, reason: string): void => {
      if (isShown) known.value = { allowed, unavailable: allowed ? undefined : reason };
    };
    may({ verb, resource, ...place }).then(
      ({ allowed, reason = 'You may not do this.' }) => tell(allowed, reason),
      (error: unknown) => tell(false, wordsOf(error)),
    );
    return () => {
      isShown = false;
    };
  }, [about]);
  return known.value;
}
