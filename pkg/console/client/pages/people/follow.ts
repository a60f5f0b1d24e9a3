import { useFollowed } from '../../lib/changes.js';
import { ownResource, pathOf } from '../../lib/discovery.js';
import type { Loading } from '../../lib/load.js';
import { namespace } from '../../lib/session.js';

/** The kinds that the lists of people show. */
export type PeopleKind =
  | 'users'
  | 'organizationbindings'
  | 'teams'
  | 'teambindings'
  | 'serviceaccounts'
  | 'roles'
  | 'rolebindings';

/**
 * Loads a list again when an object of these kinds changes in the shown organization. Use at most two kinds: each takes
 * a connection.
 */
export function useLivePeople(loading: Loading<unknown>, kinds: readonly PeopleKind[]): void {
  const resources = kinds.flatMap((kind) => ownResource('iam', kind) ?? []);
  useFollowed(
    loading,
    resources.map((resource) => ({ path: pathOf(resource, namespace.value) })),
  );
}
