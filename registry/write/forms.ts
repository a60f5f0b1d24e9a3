import { ownedMembers } from '../../pkg/kube/fieldmanager/owned.js';
import { exactEntries, type Tracked } from '../../pkg/kube/fieldmanager/tracking.js';
import type { Writing } from '../../pkg/kube/fieldmanager/update.js';
import { sameSteps } from '../../pkg/kube/json/same.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { isObject } from '../../pkg/system/object/is-object.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { completed, hiddenMembers, servedObject, servedSteps, storedObject, storedSteps } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import { Retry } from '../signals/retry.js';
import { manageable, trackingOf, withEntries } from './manageable.js';

/**
 * The forms of an object. This file is the one place where a write converts: what is stored (`fromStored`) and what
 * was sent (`received`) when it comes in, and what is to be stored (`toStored`) when it goes out. Between them, a write
 * knows one form.
 */
export interface Forms {
  /** The kind of the stored objects. */
  readonly kind: Kind;
  /** The kind that the request names. */
  readonly requestedKind: Kind;
  /**
   * The kind in whose form a write works, and whose rules it follows. Of a custom kind, it is the version that the
   * request names: as in Kubernetes, each version has rules of its own, which may name fields that others do not have.
   * Otherwise it is the stored kind: what is served under another name, such as a Namespace, has no rules of its own.
   */
  readonly form: Kind;
  /**
   * The kind in whose form fields are managed. `managedFields` are stored, and name fields by their paths. Versions
   * that a webhook converts may have other paths, so that their fields are managed in the form of the stored kind.
   * Otherwise this is `form`: entries name the version of the request, whose schema says how its lists are merged.
   */
  readonly managedForm: Kind;
}

/** The forms of a write to objects that are stored as those of `kind`. */
export function formsOf(kind: Kind, requestedKind: Kind): Forms {
  const { isVersion = false, keepsFields = false } = requestedKind.conversion ?? {};
  return {
    kind,
    requestedKind,
    form: isVersion ? requestedKind : kind,
    managedForm: keepsFields ? requestedKind : kind,
  };
}

/**
 * Converts in: a stored object. A short entry stands for the fields that were stored, and not for defaults that a
 * definition got since then, or for fewer fields because the form has fewer. In steps.
 */
export function* fromStored(forms: Forms, stored: KubeObject, form = forms.form): Steps<KubeObject> {
  if (form.completion === undefined && form.conversion === undefined) return stored;
  const live = yield* servedSteps(form, stored);
  if (live === stored || (yield* sameSteps(contentOf(live), contentOf(stored)))) return live;
  const tracked = { object: manageable(forms.kind, stored), entries: stored.metadata.managedFields };
  return withEntries(live, yield* exactEntries(tracked, trackingOf(forms.managedForm)));
}

function contentOf({ apiVersion: _, metadata: __, ...content }: KubeObject): object {
  return content;
}

/**
 * Converts in: a stored object of which the server itself changes only metadata, such as the finalizers. What takes
 * time is left out: the object then keeps its form, which its version tells. So what a webhook cannot convert can be
 * deleted.
 */
export function fromStoredNow(kind: Kind, stored: KubeObject): KubeObject {
  try {
    return completed(kind, stored);
  } catch (error) {
    if (error instanceof Retry) return stored;
    throw error;
  }
}

/** Whether a stored object is as it would be stored now. `old` is what `fromStored` has made of it. In steps. */
export function* isAsStoredNow({ kind, form }: Forms, stored: KubeObject, old: KubeObject): Steps<boolean> {
  if (kind.completion === undefined) return true;
  return (form === kind ? old : yield* servedSteps(kind, stored)) === stored;
}

/** Converts in: an object of the kind of the request. `old` is the object that it replaces. */
export function received({ requestedKind, form }: Forms, object: KubeObject, old?: KubeObject): KubeObject {
  return form === requestedKind ? object : storedObject(requestedKind, object, old);
}

/** The object that a write replaces, as one of the kind of the request, for code that knows only that. */
export function asRequested({ requestedKind, form }: Forms, old: KubeObject): KubeObject {
  return form === requestedKind ? old : servedObject(requestedKind, old);
}

/** Converts in: the result of an apply. */
export function receivedFromApply({ form, managedForm }: Forms, object: KubeObject): KubeObject {
  return form === managedForm ? object : servedObject(form, object);
}

/**
 * Converts out: the object to store, with the defaults that it lacks, because it comes from another version or has just
 * lost its status. In steps.
 */
export function* toStored({ kind, requestedKind, form }: Forms, object: KubeObject): Steps<KubeObject> {
  const stored = form === kind ? object : yield* storedSteps(requestedKind, object);
  return kind.schema === undefined ? stored : yield* kind.schema.complete(stored);
}

/** An object in the form in which its fields are managed. In steps. */
export function* inManagedForm(forms: Forms, object: KubeObject): Steps<KubeObject> {
  return forms.form === forms.managedForm ? object : yield* toStored(forms, object);
}

/** A new object with the members that the kind of the request has no words for. */
export function withHiddenDefaults({ requestedKind }: Forms, object: KubeObject, name: string): KubeObject {
  const hidden = requestedKind.conversion?.hiddenDefaults;
  return hidden === undefined ? object : { ...object, ...hidden(name) };
}

/**
 * A configuration with what its manager has applied before to the members that the kind of the request has no words
 * for. Otherwise they would be left out of it, and be removed. In steps.
 */
export function* withOwnHidden(
  { requestedKind }: Forms,
  live: Tracked,
  config: KubeObject,
  writing: Writing,
): Steps<KubeObject> {
  const names = hiddenMembers(requestedKind.conversion?.hiddenDefaults);
  return names.length === 0 ? config : { ...config, ...(yield* ownedMembers(live, names, writing)) };
}

/** What a client has sent as the kind of the request, as it is stored. Anything else stays as it is. */
export function sentAsStored({ requestedKind }: Forms, sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  if (requestedKind.writeOnly !== undefined) return requestedKind.writeOnly.stored(sent as unknown as KubeObject);
  if (requestedKind.conversion === undefined) return sent;
  const isOfKind =
    sent['apiVersion'] === requestedKind.apiVersion &&
    sent['kind'] === requestedKind.kind &&
    isObject(sent['metadata']);
  return isOfKind ? (restored(requestedKind, sent as unknown as KubeObject) ?? sent) : sent;
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
