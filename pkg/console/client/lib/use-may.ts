import type { Resource } from './discovery.js';
import { useLoad } from './load.js';
import { may, type Permission, type Wish } from './session.js';

export interface Known {
  /** Undefined as long as the server has not answered. */
  readonly allowed: boolean | undefined;
  /** Why not, in the words of the server. Undefined if it is allowed, and as long as it is not known. */
  readonly unavailable: string | undefined;
}

const UNKNOWN: Known = { allowed: undefined, unavailable: undefined };

/** Whether the caller may do something, for as long as a component is shown. If it cannot be asked, it is not known, and the request itself tells. */
export function useMay(
  verb: string,
  resource: Resource | undefined,
  { namespace, name, subresource }: Pick<Wish, 'namespace' | 'name' | 'subresource'> = {},
): Known {
  const wish = resource && { verb, resource, namespace, name, ...(subresource !== undefined && { subresource }) };
  const keys = [verb, resource?.group, resource?.resource, namespace, name, subresource];
  const { value } = useLoad(async () => wish && may(wish), keys).state.value;
  return value === undefined ? UNKNOWN : knownBy(value);
}

function knownBy({ allowed, reason }: Permission): Known {
  return { allowed, unavailable: allowed ? undefined : reason || 'You may not do this.' };
}
