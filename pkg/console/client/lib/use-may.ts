import type { Resource } from './discovery.js';
import { useLoad } from './load.js';
import { may, type Permission, type Wish } from './session.js';

export interface Known {
  /** Undefined until the server has answered. */
  readonly allowed: boolean | undefined;
  /** Why not, for people. Undefined if it is allowed or unknown. */
  readonly unavailable: string | undefined;
}

const UNKNOWN: Known = { allowed: undefined, unavailable: undefined };

/** Whether the caller may do something. If the question fails, the answer stays unknown. */
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
  return { allowed, unavailable: allowed ? undefined : (reason ?? 'You may not do this.') };
}
