import { get } from '../../../lib/api.js';
import { objectPath, pathOf } from '../../../lib/discovery.js';
import type { KubeList, KubeObject } from '../../../lib/object.js';
import { namespace } from '../../../lib/session.js';
import { needed } from '../../folders/access/entries.js';
import type { Asked } from '../../folders/access/propose-write.js';
import type { Team } from '../legacy.js';

type Membership = KubeObject<{
  readonly teamRef: { readonly name: string };
  readonly userRef: { readonly name: string };
}>;

type Written = Pick<Asked, 'request' | 'undo'>;

/** A new member of a team, by metadata.name of the user. */
export function addition(team: Team, user: string): Written {
  const resource = needed('iam', 'teambindings');
  // The server gives them the same name.
  const name = `${team.uid}.${user}`;
  const spec = { teamRef: { name: team.uid }, userRef: { name: user }, permission: 'member' };
  const body = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind, metadata: { name }, spec };
  return {
    request: { method: 'POST', path: pathOf(resource, namespace.value), body },
    undo: ({ metadata: { uid, resourceVersion } = {} }) => ({
      method: 'DELETE',
      path: objectPath(resource, namespace.value, name),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } },
    }),
  };
}

/** The end of a membership. Its binding may have any name. */
export async function removal(team: Team, user: string): Promise<Written> {
  const resource = needed('iam', 'teambindings');
  const path = pathOf(resource, namespace.value);
  const fieldSelector = `spec.teamRef.name=${team.uid},spec.userRef.name=${user}`;
  const { items } = await get<KubeList<Membership>>(path, { fieldSelector });
  const [found] = items;
  if (found === undefined) throw new Error('The person is not in the team any more.');
  const { metadata, spec } = found;
  const { name } = metadata;
  const about = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind };
  return {
    request: { method: 'DELETE', path: objectPath(resource, namespace.value, name) },
    undo: () => ({ method: 'POST', path, body: { ...about, metadata: { name }, spec } }),
  };
}
