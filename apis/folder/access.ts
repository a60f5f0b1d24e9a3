import type { KubeObject } from '../../pkg/meta/types.js';
import { groupName } from '../../registry/kinds/kind.js';
import type { WriteContext } from '../../registry/kinds/strategy.js';
import { type Access, type AccessReader, accessChanges, accessOn, type Place, shown } from '../iam/access.js';
import { basicRolesAnnotation, withoutBasicRoles } from './basic-roles.js';
import { folderOf } from './placement.js';

/** The basic roles have these everywhere, unless the object at the top says otherwise (docs/adr/0045). Administrators always have access. */
const EVERYWHERE: readonly Access[] = [
  { subject: { kind: 'BasicRole', name: 'Editor' }, role: 'Edit', on: '' },
  { subject: { kind: 'BasicRole', name: 'Viewer' }, role: 'View', on: '' },
];

/** The most folders above each other. More would be a cycle. */
const DEEPEST = 100;

/** Who has access to a folder or a dashboard, by the bindings on it and on the folders above it. Those of the whole organization are left out. */
export function accessTo(object: KubeObject, kind: Place['kind'], access: AccessReader): readonly Access[] {
  const { reader, namespace, domain } = access;
  const found = [...accessOn({ kind, name: object.metadata.name }, access)];
  const folders = `folders.${groupName('folder', domain)}`;
  let top = object;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const above = folderOf(top, domain);
    const next = above === undefined ? undefined : reader.get(folders, namespace, above);
    if (next === undefined) break;
    found.push(...accessOn({ kind: 'Folder', name: next.metadata.name }, access));
    top = next;
  }
  return withoutBasicRoles(domain)(top) ? found : [...found, ...EVERYWHERE];
}

/**
 * Warnings about access after a write of a folder or a dashboard. A move and a change of the annotation may give access and take it away. In a
 * folder, the annotation has no effect.
 */
export function accessConsequences(
  kind: Place['kind'],
  object: KubeObject | undefined,
  old: KubeObject | undefined,
  { reader, namespace, visible }: WriteContext,
  domain: string,
): readonly string[] {
  if (object === undefined) return [];
  const isPrivate = withoutBasicRoles(domain);
  const isSame =
    old !== undefined && folderOf(object, domain) === folderOf(old, domain) && isPrivate(object) === isPrivate(old);
  if (isSame || (old === undefined && !isPrivate(object))) return [];
  const access = { reader, namespace, domain, visible };
  const what = shown({ kind, name: object.metadata.name });
  const before = old === undefined ? EVERYWHERE : accessTo(old, kind, access);
  const changes = accessChanges(what, before, accessTo(object, kind, access));
  const isDormant = isPrivate(object) && folderOf(object, domain) !== undefined;
  const key = basicRolesAnnotation(domain);
  return isDormant
    ? [`${key} has no effect in a folder, because the folder at the top decides: set it there`, ...changes]
    : changes;
}
