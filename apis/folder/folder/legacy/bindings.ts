import type { KubeObject } from '../../../../pkg/meta/types.js';
import type { KindEnvironment } from '../../../../registry/kind.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import type { Range, TransactionObjects } from '../../../../registry/objects.js';
import { BY_FOLDER, type RoleBindingSpec } from '../../../iam/rolebinding/schema.js';
import { folderBindingName, folderBindingSpec } from '../creator.js';
import type { FolderSpec } from '../schema.js';
import { type Folder, parentOf } from './dto.js';
import type { Subject } from './subjects.js';

export type Binding = KubeObject<RoleBindingSpec> & { readonly spec: RoleBindingSpec };

/** What people are given on a folder; each has what those before it have. */
export const LEVELS: readonly string[] = ['View', 'Edit', 'Admin'];

/** What a subject shall have on a folder; an empty level is nothing. */
export interface Wish {
  readonly subject: Subject;
  readonly level: string;
}

/** A binding with the folder that it is on: the one in question or, inherited, one around it. */
export interface Placed {
  readonly folder: Folder;
  readonly binding: Binding;
  readonly inherited: boolean;
}

/** The folder of the path, for those who may see who has which permission on it. */
export function readableFolder(call: LegacyCall): Folder {
  return permitted(call, 'folders.permissions:read');
}

/** The folder of the path, for those who may say who has which permission on it. */
export function administeredFolder(call: LegacyCall): Folder {
  return permitted(call, 'folders.permissions:write');
}

function permitted(call: LegacyCall, action: string): Folder {
  const folders = call.objects<FolderSpec>('Folder');
  const folder = folders.get(call.param('uid'));
  requireAction(folders, action, folder);
  return folder;
}

/** What is granted on the folder, then on those around it. */
export function* bindingsAround(
  call: LegacyCall,
  folder: Folder,
  environment: KindEnvironment,
): Generator<Placed, void, undefined> {
  for (let at: Folder | undefined = folder; at !== undefined; ) {
    const parent = parentOf(at, environment);
    const own = allOn(call, at.metadata.name).filter(isTold);
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

/** The legacy interface can tell those of built-in levels. */
function isTold(binding: KubeObject<RoleBindingSpec>): binding is Binding {
  return binding.spec?.roleRef.kind === 'BuiltIn';
}

/** What the built-in roles may do in every folder of the organization, whatever is granted on it (docs/adr/0012). */
const BY_ROLE: Readonly<Record<string, string>> = { Editor: 'Edit', Viewer: 'View' };

function hasByRole({ kind, name }: Subject, level: string): boolean {
  const least = kind === 'BasicRole' ? BY_ROLE[name] : undefined;
  return least !== undefined && LEVELS.indexOf(level) <= LEVELS.indexOf(least);
}

/** With what the roles have anyway, which no list of permissions takes from them. */
function withRoles({ metadata }: Folder, own: readonly Binding[]): readonly Binding[] {
  const more = own.filter(({ spec: { subject, roleRef } }) => !hasByRole(subject, roleRef.name));
  const isSaid = (subject: Subject): boolean => more.some(isOf(subject));
  const roles = Object.entries(BY_ROLE).flatMap(([role, level]): readonly Binding[] => {
    const subject: Subject = { kind: 'BasicRole', name: role };
    if (isSaid(subject)) return [];
    const { creationTimestamp } = metadata;
    const made = { name: folderBindingName(metadata.name, subject), ...(creationTimestamp && { creationTimestamp }) };
    return [{ metadata: made, spec: folderBindingSpec(metadata.name, subject, level) } as Binding];
  });
  return [...more, ...roles];
}

const isOf =
  (subject: Subject) =>
  ({ spec }: Binding): boolean =>
    spec.subject.kind === subject.kind && spec.subject.name === subject.name;

/** Gives each subject its level, in one commit. With `isWhole`, all other subjects lose theirs. */
export async function setPermissions(
  call: LegacyCall,
  { metadata: { name } }: Folder,
  wishes: readonly Wish[],
  isWhole: boolean,
): Promise<void> {
  const range = rangeOn(call, name);
  await call.transact((transaction) => {
    const bindings = transaction.objects<RoleBindingSpec>('RoleBinding');
    const present = [...bindings.range(range)].filter(isTold);
    const wished = ({ subject, level }: Wish): Binding | undefined =>
      level === '' ? undefined : present.find(isOf(subject));
    const kept = new Set(wishes.map(wished));
    const isGoing = (binding: Binding): boolean =>
      !kept.has(binding) && (isWhole || wishes.some(({ subject }) => isOf(subject)(binding)));
    for (const { metadata } of present.filter(isGoing)) bindings.delete(metadata.name);
    for (const wish of wishes) setPermission(bindings, name, wish, wished(wish));
  });
}

function setPermission(
  bindings: TransactionObjects<RoleBindingSpec>,
  folder: string,
  { subject, level }: Wish,
  own: Binding | undefined,
): void {
  if (level === '') return;
  const spec = folderBindingSpec(folder, subject, level);
  if (own !== undefined) bindings.update(own.metadata.name, (old) => ({ ...old, spec }));
  else if (!hasByRole(subject, level))
    bindings.create({ metadata: { name: folderBindingName(folder, subject) }, spec });
}
