import { isTerminating, type KubeObject } from '../../../../pkg/meta/types.js';
import type { KindEnvironment } from '../../../../registry/kind.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import type { Range, TransactionObjects } from '../../../../registry/objects.js';
import { type BindingSubject, BY_FOLDER, type RoleBindingSpec } from '../../../iam/rolebinding/schema.js';
import { folderBindingName, folderBindingSpec } from '../creator.js';
import type { FolderSpec } from '../schema.js';
import { type Folder, parentOf } from './dto.js';

export type Binding = KubeObject<RoleBindingSpec> & { readonly spec: RoleBindingSpec };

/** The permissions on a folder. Each includes the ones before it. */
export const LEVELS: readonly string[] = ['View', 'Edit', 'Admin'];

/** The permission that a subject is to have on a folder. An empty level removes it. */
export interface DesiredPermission {
  readonly subject: BindingSubject;
  readonly level: string;
}

/** A binding with its folder. An inherited binding is on an ancestor of the folder that was asked for. */
export interface FolderBinding {
  readonly folder: Folder;
  readonly binding: Binding;
  readonly inherited: boolean;
}

/** The folder of the path. Throws 403 for callers who may not read its permissions. */
export function readableFolder(call: LegacyCall): Folder {
  return permitted(call, 'folders.permissions:read');
}

/** The folder of the path. Throws 403 for callers who may not change its permissions. */
export function administeredFolder(call: LegacyCall): Folder {
  return permitted(call, 'folders.permissions:write');
}

function permitted(call: LegacyCall, action: string): Folder {
  const folders = call.objects<FolderSpec>('Folder');
  const folder = folders.get(call.param('uid'));
  requireAction(folders, action, folder);
  return folder;
}

/** The bindings on the folder, then those on its ancestors. */
export function* bindingsOf(
  call: LegacyCall,
  folder: Folder,
  environment: KindEnvironment,
): Generator<FolderBinding, void, undefined> {
  for (let at: Folder | undefined = folder; at !== undefined; ) {
    const parent = parentOf(at, environment);
    const own = allOn(call, at.metadata.name).filter(isShown);
    const all = parent === undefined ? withRoles(at, own) : own;
    for (const binding of all) yield { folder: at, binding, inherited: at !== folder };
    at = parent === undefined ? undefined : call.objects<FolderSpec>('Folder').find(parent);
  }
}

function rangeOn(call: LegacyCall, folder: string): Range {
  return { index: BY_FOLDER, prefix: [call.organization.namespace, folder] };
}

function allOn(call: LegacyCall, folder: string): readonly KubeObject<RoleBindingSpec>[] {
  if (!call.hasKind('RoleBinding')) return [];
  return [...call.objects<RoleBindingSpec>('RoleBinding').range(rangeOn(call, folder))];
}

/** The legacy API shows only bindings of built-in roles, and none that has no effect any more. */
function isShown(binding: KubeObject<RoleBindingSpec>): binding is Binding {
  return binding.spec?.roleRef.kind === 'BuiltIn' && !isTerminating(binding);
}

/** The permissions of the built-in roles in every folder of the organization, in addition to bindings (docs/adr/0012). */
const BY_ROLE: Readonly<Record<string, string>> = { Editor: 'Edit', Viewer: 'View' };

function hasByRole({ kind, name }: BindingSubject, level: string): boolean {
  const least = kind === 'BasicRole' ? BY_ROLE[name] : undefined;
  return least !== undefined && LEVELS.indexOf(level) <= LEVELS.indexOf(least);
}

/** Adds the permissions of the built-in roles. No change of folder permissions removes these. */
function withRoles({ metadata }: Folder, own: readonly Binding[]): readonly Binding[] {
  const more = own.filter(({ spec: { subject, roleRef } }) => !hasByRole(subject, roleRef.name));
  const hasOwn = (subject: BindingSubject): boolean => more.some(isOf(subject));
  const roles = Object.entries(BY_ROLE).flatMap(([role, level]): readonly Binding[] => {
    const subject: BindingSubject = { kind: 'BasicRole', name: role };
    if (hasOwn(subject)) return [];
    const { creationTimestamp } = metadata;
    const made = { name: folderBindingName(metadata.name, subject), ...(creationTimestamp && { creationTimestamp }) };
    return [{ metadata: made, spec: folderBindingSpec(metadata.name, subject, level) } as Binding];
  });
  return [...more, ...roles];
}

const isOf =
  (subject: BindingSubject) =>
  ({ spec }: Binding): boolean =>
    spec.subject.kind === subject.kind && spec.subject.name === subject.name;

/** Gives each subject its level, in one commit. With `isWhole`, all other subjects lose theirs. */
export async function setPermissions(
  call: LegacyCall,
  { metadata: { name } }: Folder,
  permissions: readonly DesiredPermission[],
  isWhole: boolean,
): Promise<void> {
  const range = rangeOn(call, name);
  await call.transact((transaction) => {
    const bindings = transaction.objects<RoleBindingSpec>('RoleBinding');
    const present = [...bindings.range(range)].filter(isShown);
    const existing = ({ subject, level }: DesiredPermission): Binding | undefined =>
      level === '' ? undefined : present.find(isOf(subject));
    const kept = new Set(permissions.map(existing));
    const isGoing = (binding: Binding): boolean =>
      !kept.has(binding) && (isWhole || permissions.some(({ subject }) => isOf(subject)(binding)));
    for (const { metadata } of present.filter(isGoing)) bindings.delete(metadata.name);
    for (const permission of permissions) setPermission(bindings, name, permission, existing(permission));
  });
}

function setPermission(
  bindings: TransactionObjects<RoleBindingSpec>,
  folder: string,
  { subject, level }: DesiredPermission,
  own: Binding | undefined,
): void {
  if (level === '') return;
  const spec = folderBindingSpec(folder, subject, level);
  if (own !== undefined) bindings.update(own.metadata.name, (old) => ({ ...old, spec }));
  else if (!hasByRole(subject, level))
    bindings.create({ metadata: { name: folderBindingName(folder, subject) }, spec });
}
