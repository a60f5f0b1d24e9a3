import { ownResource } from './discovery.js';
import { namespace } from './session.js';
import { useMay } from './use-may.js';

/**
 * Whether the caller administers the organization, and may therefore ask about the access of others. Undefined until
 * that is known.
 */
export function useMayAsk(where = namespace.value): boolean | undefined {
  const roles = useMay('get', ownResource('iam', 'roles'), { namespace: where }).allowed;
  const teams = useMay('get', ownResource('iam', 'teams'), { namespace: where }).allowed;
  return roles === undefined || teams === undefined ? undefined : roles && teams;
}
