import { call, get } from '../../../lib/api.js';
import { isOwnGroup, listed, objectPath, ownResource, pathOf, type Resource } from '../../../lib/discovery.js';
import type { KubeList, KubeObject } from '../../../lib/object.js';
import { namespace } from '../../../lib/session.js';
import type { Asked } from '../../folders/access/propose-write.js';
import type { Subject } from '../../folders/access/subjects.js';

export interface Permission {
  readonly action: string;
  readonly scope: string;
}

export interface RoleSpec {
  readonly title?: string;
  readonly description?: string;
  readonly group?: string;
  readonly hidden?: boolean;
  readonly name?: string;
  readonly version?: number;
  readonly permissions: readonly Permission[];
}
export type Role = KubeObject<RoleSpec>;

export interface BindingSpec {
  readonly subject: Subject;
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly scope?: { readonly folder?: string; readonly dashboard?: string; readonly serviceAccount?: string };
}
export type Binding = KubeObject<BindingSpec>;

/** A kind of this server that the pages of roles need. */
function kindOf(resource: string): Resource {
  const found = ownResource('iam', resource);
  if (found === undefined) throw new Error(`This server has no ${resource}.`);
  return found;
}

/** The most custom roles that are listed. */
export const MOST_ROLES = 500;

export async function rolesOf(signal: AbortSignal): Promise<readonly Role[]> {
  const path = pathOf(kindOf('roles'), namespace.value);
  return (await get<KubeList<Role>>(path, { limit: MOST_ROLES }, signal)).items;
}

export function roleNamed(name: string, signal: AbortSignal): Promise<Role> {
  return get<Role>(objectPath(kindOf('roles'), namespace.value, name), undefined, signal);
}

/** Replaces a role, if it still has the version that was read. */
export function replacement(role: Role, spec: RoleSpec): Pick<Asked, 'request' | 'undo'> {
  const resource = kindOf('roles');
  const about = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind };
  const path = objectPath(resource, namespace.value, role.metadata.name);
  const { metadata } = role;
  return {
    request: { method: 'PUT', path, body: { ...role, ...about, spec } },
    undo: ({ metadata: { resourceVersion } = {} }) => ({
      method: 'PUT',
      path,
      body: { ...role, ...about, metadata: { ...metadata, resourceVersion } },
    }),
  };
}

/** Returns the name of the role, and what the server says of permissions that allow nothing. */
export async function createRole(
  spec: RoleSpec,
): Promise<{ readonly name: string; readonly warnings: readonly string[] }> {
  const resource = kindOf('roles');
  const about = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind };
  const body = { ...about, metadata: { generateName: 'role-' }, spec };
  const created = await call<Role>('POST', pathOf(resource, namespace.value), { body });
  return { name: created.body.metadata.name, warnings: created.warnings };
}

export async function deleteRole({ metadata: { name } }: Role): Promise<void> {
  await call('DELETE', objectPath(kindOf('roles'), namespace.value, name));
}

/** The path of the role bindings. */
export const bindingsPath = (): string => pathOf(kindOf('rolebindings'), namespace.value);

interface Trial {
  /** Whether nothing is stored. */
  readonly isTrial: boolean;
}

const dryRun = ({ isTrial }: Trial) => ({ dryRun: isTrial ? 'All' : undefined });

/** Gives a role to a subject. Returns what the server says of it: who gains access. */
export async function bind(
  role: string,
  subject: { readonly kind: string; readonly name: string },
  trial: Trial,
): Promise<readonly string[]> {
  const resource = kindOf('rolebindings');
  const { warnings } = await call('POST', pathOf(resource, namespace.value), {
    query: dryRun(trial),
    body: {
      apiVersion: `${resource.group}/${resource.version}`,
      kind: resource.kind,
      metadata: { name: `role.${role}.${subject.kind.toLowerCase()}.${subject.name}` },
      spec: { subject, roleRef: { kind: 'Role', name: role } },
    },
  });
  return warnings;
}

/** Takes a role away. Returns what the server says of it: who loses access. */
export async function unbind({ metadata: { name } }: Binding, trial: Trial): Promise<readonly string[]> {
  const path = objectPath(kindOf('rolebindings'), namespace.value, name);
  return (await call('DELETE', path, { query: dryRun(trial) })).warnings;
}

const VERBS = ['read', 'create', 'write', 'delete'];

/** Actions and scopes to choose from: those of all kinds, and those of other roles. */
export function suggestions(roles: readonly Role[]): { actions: readonly string[]; scopes: readonly string[] } {
  const words = listed.value.map(({ group, resource }) => {
    const isOwn = group === '' || isOwnGroup(group) || group.endsWith('.k8s.io');
    return isOwn ? resource : `${resource}.${group}`;
  });
  const used = roles.flatMap(({ spec }) => spec?.permissions ?? []);
  const actions = [
    ...words.flatMap((word) => VERBS.map((verb) => `${word}:${verb}`)),
    ...used.map((one) => one.action),
  ];
  const scopes = [...words.map((word) => `${word}:*`), ...used.map((one) => one.scope)].filter((one) => one !== '');
  return { actions: [...new Set(actions)].sort(), scopes: [...new Set(scopes)].sort() };
}
