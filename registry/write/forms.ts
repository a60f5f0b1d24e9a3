import { ownedMembers } from '../../pkg/kube/fieldmanager/owned.js';
import { exactEntries, type Tracked } from '../../pkg/kube/fieldmanager/tracking.js';
import type { Writing } from '../../pkg/kube/fieldmanager/update.js';
import { sameSteps } from '../../pkg/kube/json/same.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { isObject } from '../../pkg/system/object/is-object.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { membersUnsaid, servedObject, servedSteps, storedObject, storedSteps } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import { manageable, trackingOf, withEntries } from './manageable.js';

/** The kind that the request names, and the kind of the stored objects. */
interface Kinds {
  readonly kind: Kind;
  readonly called: Kind;
}

/**
 * The kind whose rules a write follows: that of the request, if it is a version of the stored kind. As in Kubernetes,
 * each version has rules of its own.
 */
export function rulesKind({ kind, called }: Kinds): Kind {
  return called.conversion?.isVersion === true ? called : kind;
}

/**
 * The kind in whose form the fields of an object are managed: a version, if its fields have the same paths as those of
 * the stored kind.
 */
export function fieldsKind({ kind, called }: Kinds): Kind {
  return called.conversion?.keepsFields === true ? called : kind;
}

/** The object that a write replaces. */
interface Replaced {
  /** As it was stored. */
  readonly stored: KubeObject;
  /** As it would be stored now. The same object if its definition did not change since then. */
  readonly current: KubeObject;
  /** In the form that the rules are about. The same object unless the request names a version with rules of its own. */
  readonly old: KubeObject;
}

/** Converts in: the stored object that a write replaces. In steps. */
export function* read(target: Kinds, stored: KubeObject): Steps<Replaced> {
  const rules = rulesKind(target);
  const current = yield* readAs(target, target.kind, stored);
  const old = rules === target.kind ? current : yield* readAs(target, rules, stored);
  return { stored, current, old };
}

/**
 * A stored object in a form of now. A short entry stands for the fields that were stored, and not for defaults that a
 * definition got since then, or for fewer fields because the form has fewer. In steps.
 */
export function* readAs(target: Kinds, form: Kind, stored: KubeObject): Steps<KubeObject> {
  const live = yield* servedSteps(form, stored);
  if (live === stored || (yield* sameSteps(contentOf(live), contentOf(stored)))) return live;
  const tracked = { object: manageable(target.kind, stored), entries: stored.metadata.managedFields };
  return withEntries(live, yield* exactEntries(tracked, trackingOf(fieldsKind(target))));
}

function contentOf({ apiVersion: _, metadata: __, ...content }: KubeObject): object {
  return content;
}

/**
 * Converts in: an object of the kind of the request in the form that the rules are about. `old` is the stored object
 * that it replaces.
 */
export function received(kinds: Kinds, object: KubeObject, old?: KubeObject): KubeObject {
  return rulesKind(kinds) === kinds.called ? object : storedObject(kinds.called, object, old);
}

/** The same for the result of an apply, which has the form in which fields are managed. */
export function receivedFromApply(kinds: Kinds, object: KubeObject): KubeObject {
  const rules = rulesKind(kinds);
  return fieldsKind(kinds) === rules ? object : servedObject(rules, object);
}

/**
 * Converts out: an object in the form that the rules are about as it is stored, with the defaults that it lacks,
 * because it comes from another version or has just lost its status. In steps.
 */
export function* write(kinds: Kinds, object: KubeObject): Steps<KubeObject> {
  const { kind, called } = kinds;
  const stored = rulesKind(kinds) === kind ? object : yield* storedSteps(called, object);
  return kind.schema === undefined ? stored : yield* kind.schema.complete(stored);
}

/** An object in the form that the rules are about in the form in which its fields are managed. In steps. */
export function* fieldsForm(kinds: Kinds, object: KubeObject): Steps<KubeObject> {
  return fieldsKind(kinds) === rulesKind(kinds) ? object : yield* write(kinds, object);
}

/** A new object with the members that the kind of the request has no words for. */
export function withHiddenDefaults({ called }: Kinds, object: KubeObject, name: string): KubeObject {
  const hidden = called.conversion?.unsaid;
  return hidden === undefined ? object : { ...object, ...hidden(name) };
}

/**
 * A configuration with what its manager has applied before to the members that the kind of the request has no words
 * for. Otherwise they would be left out of it, and be removed. In steps.
 */
export function* withOwnHidden(
  { called }: Kinds,
  live: Tracked,
  config: KubeObject,
  writing: Writing,
): Steps<KubeObject> {
  const names = membersUnsaid(called.conversion?.unsaid);
  return names.length === 0 ? config : { ...config, ...(yield* ownedMembers(live, names, writing)) };
}

/** What a client has sent as the kind of the request, as it is stored. Anything else stays as it is. */
export function sentAsStored({ called }: Kinds, sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  if (called.writeOnly !== undefined) return called.writeOnly.stored(sent as unknown as KubeObject);
  if (called.conversion === undefined) return sent;
  const isOfKind =
    sent['apiVersion'] === called.apiVersion && sent['kind'] === called.kind && isObject(sent['metadata']);
  return isOfKind ? (restored(called, sent as unknown as KubeObject) ?? sent) : sent;
}

/** `undefined` for what cannot be stored. */
function restored(kind: Kind, sent: KubeObject): KubeObject | undefined {
  try {
    return storedObject(kind, sent);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
