import { useLoad } from '../../lib/load.js';
import { may, type Wish } from '../../lib/session.js';

/** Why the caller may not do something, or nothing if they may, and as long as that is not known. */
export function useRefusal(wish: Wish): string | undefined {
  const { verb, resource, namespace, name } = wish;
  const { state } = useLoad(() => may(wish), [verb, resource.group, resource.resource, namespace, name]);
  const permission = state.value.value;
  if (permission === undefined || permission.allowed) return undefined;
  return permission.reason ?? `You may not ${verb} ${resource.resource} here.`;
}
