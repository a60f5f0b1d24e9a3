import type { KubeObject } from '../../../pkg/meta/types.js';
import type { KindEnvironment } from '../../../registry/kind.js';
import type { LegacyCall } from '../../../registry/legacy/call.js';
import { BY_FOLDER, type RoleBindingSpec } from '../../rolebinding/kind.js';
import { folderBindingName, folderBindingSpec } from '../creator.js';
import type { FolderSpec } from '../kind.js';
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
  folders.require(action, folder);
  return folder;
}

/** What is granted on the folder, then on those around it. */
export function* bindingsAround(
  call: LegacyCall,
  folder: Folder,
  environment: KindEnvironment,
): Generator<Placed, void, undefined> {
  for (let at: Folder | undefined = folder; at !== undefined; ) {
    for (const binding of bindingsOn(call, at.metadata.name)) yield { folder: at, binding, inherited: at !== folder };
    const parent = parentOf(at, environment);
    at = parent === undefined ? undefined : call.objects<FolderSpec>('Folder').peek(parent);
  }
}

/** Bindings directly on the folder that the legacy interface can tell: those of built-in levels. */
function bindingsOn(call: LegacyCall, folder: string): readonly Binding[] {
  if (!call.hasKind('RoleBinding')) return [];
  const prefix = [call.organization.namespace, folder];
  const all = [...call.objects<RoleBindingSpec>('RoleBinding').scan({ index: BY_FOLDER, prefix })];
  return all.filter((one): one is Binding => one.spec?.roleRef.kind === 'BuiltIn');
}

const isOf =
  (subject: Subject) =>
  ({ spec }: Binding): boolean =>
    spec.subject.kind === subject.kind && spec.subject.name === subject.name;

/** Gives each subject its level, in one commit; with `isWhole`, and nobody else any. */
export async function setPermissions(
  call: LegacyCall,
  { metadata: { name } }: Folder,
  wishes: readonly Wish[],
  isWhole: boolean,
): Promise<void> {
  const { plan } = call.objects<RoleBindingSpec>('RoleBinding');
  const present = bindingsOn(call, name);
  const kept = new Set<Binding>();
  const plans = wishes.flatMap(({ subject, level }) => {
    const own = present.find(isOf(subject));
    if (level === '') return [];
    if (own === undefined) {
      const metadata = { name: folderBindingName(name, subject) };
      return [plan.create({ metadata, spec: folderBindingSpec(name, subject, level) })];
    }
    kept.add(own);
    return [plan.update(own.metadata.name, (old) => ({ ...old, spec: folderBindingSpec(name, subject, level) }))];
  });
  const isGoing = (binding: Binding): boolean =>
    !kept.has(binding) && (isWhole || wishes.some(({ subject }) => isOf(subject)(binding)));
  const removals = present.filter(isGoing).map(({ metadata }) => plan.delete(metadata.name));
  await call.transact([...removals, ...plans]);
}
