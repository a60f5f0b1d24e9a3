import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { notFound } from '../../../../pkg/kube/status/errors.js';
import type { IndexRange } from '../../../../registry/client/object-reader.js';
import type { TransactionObjects } from '../../../../registry/client/objects.js';
import { isEffective } from '../../../../registry/kinds/ready-condition.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import { mayView } from '../../legacy/visibility.js';
import type { BindingSubject, RoleBindingSpec } from '../schema.js';
import { type BindingTarget, bindingSpec, type Located, type TargetSource } from './place.js';
import {
  type Changes,
  type DesiredPermission,
  hasUsual,
  higherLevels,
  isUsual,
  NO_LEVELS,
  type RoleLevels,
  roleLevels,
  takesRolesAway,
  USUAL_LEVELS,
  USUAL_PERMISSIONS,
} from './role-levels.js';

export type Binding = KubeObject<RoleBindingSpec> & { readonly spec: RoleBindingSpec };

/** A binding with the object that it is on. An inherited binding is on an object above the one that was asked for. */
export interface PlacedBinding extends Located {
  readonly binding: Binding;
  readonly inherited: boolean;
}

/** The object of the path. Throws 403 for callers who may not use the action on it. */
export function permittedObject(
  call: LegacyCall,
  place: BindingTarget,
  action: 'read' | 'write',
  uid = call.param('uid'),
): KubeObject {
  const objects = call.objects(place.kind);
  const object = place.find === undefined ? objects.get(uid) : place.find(call, uid);
  requireAction(objects, `${place.plural}.permissions:${action}`, object);
  if (object === undefined) throw notFound(objects.kind, uid);
  return object;
}

/**
 * The bindings on the object, then those on what it lies in: of these, only those that the caller may view, or whose
 * subject they may view. Otherwise the administrators of a folder would see who has access to a private folder above
 * it. What a basic role has ends at the first private object.
 */
export function* bindingsOf(
  call: LegacyCall,
  place: BindingTarget,
  object: KubeObject,
): Generator<PlacedBinding, void, undefined> {
  let isEnded = false;
  for (let at: Located | undefined = { place, object }; at !== undefined; ) {
    const { isAtRoot, privacy } = at.place.basicRoles ?? {};
    const isPrivate = privacy?.of(at.object) === true;
    const own = allOn(call, at).filter(isShown);
    const all = isAtRoot?.(at.object) === true && !isPrivate ? withRoles(at, own) : own;
    for (const binding of all) {
      const inherited = at.object !== object;
      const { subject } = binding.spec;
      if (isEnded && hasUsual(subject)) continue;
      if (!inherited || mayName(call, at, subject)) yield { ...at, binding, inherited };
    }
    isEnded ||= isPrivate;
    at = at.place.above(call, at.object);
  }
}

function mayName(call: LegacyCall, { place, object }: Located, subject: BindingSubject): boolean {
  if (subject.kind === 'BasicRole' || call.objects(place.kind).may(`${place.plural}.permissions:read`, object))
    return true;
  return mayView(call, subject);
}

function rangeOn(call: LegacyCall, index: string, name: string): IndexRange {
  return { index, prefix: [call.organization.namespace, name] };
}

function allOn(call: LegacyCall, { place, object }: Located): readonly KubeObject<RoleBindingSpec>[] {
  if (!call.hasKind('iam/RoleBinding')) return [];
  return [...call.objects<RoleBindingSpec>('iam/RoleBinding').range(rangeOn(call, place.index, object.metadata.name))];
}

/** Whether there is a binding on the object. `index` is that of its place. */
export function hasPermissions(call: LegacyCall, index: string, name: string): boolean {
  if (!call.hasKind('iam/RoleBinding')) return false;
  return (
    call
      .objects('iam/RoleBinding')
      .range(rangeOn(call, index, name))
      .next().done !== true
  );
}

/** The legacy API shows only bindings of built-in roles, and none that has no effect any more. */
function isShown(binding: KubeObject<RoleBindingSpec>): binding is Binding {
  return binding.spec?.roleRef.kind === 'BuiltIn' && isEffective(binding);
}

/** Adds the permissions of the basic roles, which no binding gives (docs/adr/0045). */
function withRoles({ place, object: { metadata } }: Located, own: readonly Binding[]): readonly Binding[] {
  const more = own.filter(({ spec: { subject, roleRef } }) => !isUsual(subject, roleRef.name));
  const named = new Set(more.map(({ spec }) => keyOf(spec.subject)));
  const roles = Object.entries(USUAL_LEVELS).flatMap(([role, level]): readonly Binding[] => {
    const subject: BindingSubject = { kind: 'BasicRole', name: role };
    if (named.has(keyOf(subject))) return [];
    const { name, creationTimestamp } = metadata;
    const made = { name: place.bindingName(name, subject), ...(creationTimestamp && { creationTimestamp }) };
    return [{ metadata: made, spec: bindingSpec(place, name, subject, level) } as Binding];
  });
  return [...more, ...roles];
}

const keyOf = ({ kind, name }: BindingSubject): string => `${kind}/${name}`;

/** What the basic roles have on an object by what it lies in, or everywhere. */
function inheritedLevels(call: LegacyCall, source: TargetSource, place: BindingTarget, object: KubeObject): RoleLevels {
  let levels = NO_LEVELS;
  let last: Located = { place, object };
  for (let at = place.above(source, object); at !== undefined; at = at.place.above(source, at.object)) {
    const range = rangeOn(call, at.place.index, at.object.metadata.name);
    const all = [...source.objects<RoleBindingSpec>('iam/RoleBinding').range(range)].filter(isShown);
    levels = higherLevels(levels, all.map(permissionOf));
    if (at.place.basicRoles?.privacy.of(at.object) === true) return levels;
    last = at;
  }
  const isWithRoles = last.place.basicRoles?.isAtRoot(last.object) === true;
  return isWithRoles ? higherLevels(levels, USUAL_PERMISSIONS) : levels;
}

function permissionOf({ spec }: Binding): DesiredPermission {
  return { subject: spec.subject, level: spec.roleRef.name };
}

/** Gives each subject its level, in one commit. With `isWhole`, all other subjects lose theirs. */
export async function setPermissions(
  call: LegacyCall,
  place: BindingTarget,
  { metadata: { name } }: KubeObject,
  permissions: readonly DesiredPermission[],
  isWhole: boolean,
): Promise<void> {
  const range = rangeOn(call, place.index, name);
  await call.transactInSteps(function* (transaction) {
    const bindings = transaction.objects<RoleBindingSpec>('iam/RoleBinding');
    const present = [...bindings.range(range)].filter(isShown);
    const inherited = (object: KubeObject): RoleLevels => inheritedLevels(call, transaction, place, object);
    const change = { present, permissions, isWhole, inherited };
    const { wanted, finish } = withPrivacy(transaction.objects(place.kind), place, name, change);
    // The first binding of a subject counts.
    const first = new Map(present.toReversed().map((binding) => [keyOf(binding.spec.subject), binding]));
    const existing = ({ subject, level }: DesiredPermission): Binding | undefined =>
      level === '' ? undefined : first.get(keyOf(subject));
    const kept = new Set(wanted.map(existing));
    const named = new Set(wanted.map(({ subject }) => keyOf(subject)));
    const isGoing = (binding: Binding): boolean =>
      !kept.has(binding) && (isWhole || named.has(keyOf(binding.spec.subject)));
    for (const { metadata } of present.filter(isGoing)) {
      bindings.delete(metadata.name);
      yield;
    }
    for (const permission of wanted) {
      setPermission(bindings, { place, name }, permission, existing(permission));
      yield;
    }
    finish();
  });
}

interface Planned {
  /** The permissions that need bindings. */
  readonly wanted: readonly DesiredPermission[];
  /**
   * Writes to the object whether the basic roles keep what they have everywhere. It runs after the bindings are
   * written, so that its warning is about the whole change.
   */
  finish(): void;
}

interface Change extends Changes {
  readonly present: readonly Binding[];
  inherited(object: KubeObject): RoleLevels;
}

/**
 * A change of what the basic roles have also decides whether they keep what they have above the object, or everywhere.
 * Below a folder, only a whole list does so: and only of a folder. What is set alone is added to what is inherited, as
 * existing clients expect.
 */
function withPrivacy(
  objects: TransactionObjects<unknown>,
  { basicRoles }: BindingTarget,
  name: string,
  { present, permissions, isWhole, inherited }: Change,
): Planned {
  const isAboutRoles = isWhole || permissions.some(({ subject }) => hasUsual(subject));
  if (basicRoles === undefined || !isAboutRoles) return { wanted: permissions, finish: () => undefined };
  const { privacy, isAtRoot, listsDecideInside } = basicRoles;
  const object = objects.get(name);
  const wasPrivate = privacy.of(object);
  const finish = (isPrivate: boolean) => (): void => {
    if (isPrivate !== wasPrivate) objects.update(name, (old) => privacy.with(old, isPrivate));
  };
  if (!isAtRoot(object)) {
    const isDecided = isWhole && listsDecideInside;
    return {
      wanted: permissions,
      finish: finish(isDecided ? takesRolesAway(permissions, inherited(object)) : wasPrivate),
    };
  }
  const before = { current: present.map(permissionOf), isPrivate: wasPrivate };
  const roles = roleLevels(before, { permissions, isWhole });
  return {
    wanted: [...permissions.filter(({ subject }) => !hasUsual(subject)), ...roles.permissions],
    finish: finish(roles.isPrivate),
  };
}

function setPermission(
  bindings: TransactionObjects<RoleBindingSpec>,
  { place, name }: { readonly place: BindingTarget; readonly name: string },
  { subject, level }: DesiredPermission,
  own: Binding | undefined,
): void {
  if (level === '') return;
  const spec = bindingSpec(place, name, subject, level);
  if (own !== undefined) bindings.update(own.metadata.name, (old) => ({ ...old, spec }));
  else bindings.create({ metadata: { name: place.bindingName(name, subject) }, spec });
}
