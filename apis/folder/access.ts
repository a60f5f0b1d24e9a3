import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { groupName } from '../../registry/kinds/kind.js';
import type { WriteContext } from '../../registry/kinds/strategy.js';
import { type Access, type AccessReader, type AccessTarget, accessChanges, accessOn, shown } from '../iam/access.js';
import { withoutBasicRoles } from './basic-roles.js';
import { folderOf } from './placement.js';

/** The basic roles have these on all that is not private (docs/adr/0045). Administrators always have access. */
const EVERYWHERE: readonly Access[] = [
  { subject: { kind: 'BasicRole', name: 'Editor' }, role: 'Edit', on: '' },
  { subject: { kind: 'BasicRole', name: 'Viewer' }, role: 'View', on: '' },
];

/** The most folders above each other. More would be a cycle. */
const DEEPEST = 100;

/**
 * Who has access to a folder or a dashboard, by the bindings on it and on the folders above it. Those of the whole
 * organization are left out.
 */
export function accessTo(object: KubeObject, kind: AccessTarget['kind'], access: AccessReader): readonly Access[] {
  const own = accessOn({ kind, name: object.metadata.name }, access);
  const above = accessAbove(object, access);
  return [...own, ...(withoutBasicRoles(access.domain)(object) ? above.filter(isKept) : above)];
}

/** What the folders above an object give, and the basic roles of the organization. */
function accessAbove(object: KubeObject, access: AccessReader): readonly Access[] {
  const { reader, namespace, domain } = access;
  const folders = `folders.${groupName('folder', domain)}`;
  const isPrivate = withoutBasicRoles(domain);
  const levels: Access[] = [];
  let isOpen = true;
  const add = (more: readonly Access[]): void => {
    levels.push(...(isOpen ? more : more.filter(isKept)));
  };
  let at = object;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const above = folderOf(at, domain);
    const next = above === undefined ? undefined : reader.get(folders, namespace, above);
    if (next === undefined) break;
    add(accessOn({ kind: 'Folder', name: next.metadata.name }, access));
    if (isPrivate(next)) isOpen = false;
    at = next;
  }
  add(EVERYWHERE);
  return levels;
}

/**
 * Whether somebody keeps what they have on a folder in all that is private in it. Callers who may not view a binding do
 * not learn whether it is of a basic role.
 */
function isKept({ subject }: Access): boolean {
  return subject?.kind !== 'BasicRole' || subject.name === 'Admin';
}

/**
 * Warnings about access after a write of a folder or a dashboard. A move and a change of the annotation may give access
 * and take it away.
 */
export function accessConsequences(
  kind: AccessTarget['kind'],
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
  const before = old === undefined ? accessAbove(object, access) : accessTo(old, kind, access);
  return accessChanges(what, before, accessTo(object, kind, access));
}
