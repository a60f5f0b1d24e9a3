import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Revision, Stored } from '../../storage/backend.js';
import { type Key, keyOf, partsOf } from '../../storage/key.js';
import { decodeObject } from '../../storage/state/codec.js';
import { encodeTuple } from '../../storage/state/tuple.js';
import type { Head } from '../../storage/transfer/snapshot.js';
import type { Kind } from '../kinds/kind.js';
import { isWaiting } from '../kinds/ready-condition.js';
import { requiredBy } from '../kinds/waiting.js';
import type { Finding } from './finding.js';
import { fieldProblems } from './schema.js';

/** An object that another one names. It must be found before the end of the check. */
interface ReferenceCheck {
  readonly from: Key;
  readonly field: string;
  readonly key: Key;
}

/**
 * Checks the objects of a store one after another, in any order. At the end, it checks how they refer to each other. It
 * keeps a few texts for each object in memory, and no object.
 */
export class ObjectCheck {
  readonly #head: Head;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #keys = new Set<string>();
  readonly #uids = new Map<string, Key>();
  readonly #revisions = new Set<Revision>();
  readonly #uniques = new Map<string, Key>();
  readonly #named: ReferenceCheck[] = [];
  /** The objects that wait, with all that they name. */
  readonly #waiting: { readonly from: Key; readonly named: readonly Key[] }[] = [];
  readonly #owners: { readonly from: Key; readonly uid: string }[] = [];
  readonly #highest = new Map<string, number>();

  constructor(kinds: readonly Kind[], head: Head) {
    this.#head = head;
    const stored = kinds.filter(({ conversion }) => conversion === undefined);
    this.#kinds = new Map(stored.map((kind) => [kind.qualified, kind]));
  }

  *object(stored: Stored): Generator<Finding, void, undefined> {
    const { key, value } = stored;
    const { resource } = partsOf(key);
    const kind = this.#kinds.get(resource);
    yield* this.#revisionOf(stored);
    if (kind === undefined) {
      yield { area: 'object', key, message: 'this version has no such kind', isNote: true };
      return;
    }
    let object: KubeObject;
    try {
      object = decodeObject(value) as KubeObject;
    } catch {
      yield { area: 'object', key, message: 'its bytes are no JSON' };
      return;
    }
    yield* this.#identityOf(kind, object, stored);
    for (const message of fieldProblems(kind, object)) yield { area: 'schema', key, message };
    yield* this.#relationsOf(kind, object, key);
  }

  /** The checks that need all objects. */
  *end(): Generator<Finding, void, undefined> {
    for (const { from, field, key } of this.#named) {
      if (this.#keys.has(key)) continue;
      yield { area: 'reference', key: from, message: `${field} names ${key}, which is not there` };
    }
    for (const { from, named } of this.#waiting) {
      if (named.some((requiredKey) => !this.#keys.has(requiredKey))) continue;
      yield { area: 'reference', key: from, message: 'it waits, but everything that it names is there' };
    }
    for (const { from, uid } of this.#owners) {
      if (this.#uids.has(uid)) continue;
      yield { area: 'owner', key: from, message: `its owner ${uid} is not in this store`, isNote: true };
    }
    for (const [resource, highest] of this.#highest) {
      const counter = this.#head.counters.get(resource) ?? 0;
      if (highest <= counter) continue;
      yield {
        area: 'counter',
        message: `the counter of ${resource} is ${counter}, but an object has the id ${highest}`,
      };
    }
  }

  *#revisionOf({ key, revision }: Stored): Generator<Finding, void, undefined> {
    const { end } = this.#head;
    if (revision < 1 || revision > end)
      yield { area: 'revision', key, message: `its revision ${revision} is not one of 1 to ${end}` };
    if (this.#revisions.has(revision))
      yield { area: 'revision', key, message: `another object has its revision ${revision}` };
    this.#revisions.add(revision);
  }

  *#identityOf(
    kind: Kind,
    { apiVersion, kind: name, metadata }: KubeObject,
    { key, revision }: Stored,
  ): Generator<Finding> {
    this.#keys.add(key);
    // A definition may store new objects in another version than old ones.
    const isOfKind =
      kind.definedBy === undefined ? apiVersion === kind.apiVersion : apiVersion.startsWith(`${kind.group}/`);
    if (name !== kind.kind || !isOfKind)
      yield {
        area: 'object',
        key,
        message: `it is a ${name} of ${apiVersion}, not a ${kind.kind} of ${kind.apiVersion}`,
      };
    const { namespace = '', uid = '' } = metadata;
    const own = keyOf(kind.qualified, kind.scope === 'Cluster' ? '' : namespace, metadata.name);
    if (own !== key) yield { area: 'object', key, message: `its name and namespace belong to ${own}` };
    if (metadata.resourceVersion !== String(revision))
      yield {
        area: 'revision',
        key,
        message: `it has the resourceVersion ${metadata.resourceVersion}, and the revision ${revision}`,
      };
    const other = this.#uids.get(uid);
    // Some internal objects, such as retained versions, have none.
    if (uid === '' && !kind.served) return;
    if (uid === '') yield { area: 'object', key, message: 'it has no uid' };
    else if (other !== undefined) yield { area: 'unique', key, message: `${other} has the same uid ${uid}` };
    this.#uids.set(uid, key);
  }

  *#relationsOf(kind: Kind, object: KubeObject, key: Key): Generator<Finding, void, undefined> {
    for (const index of Object.keys(kind.uniques ?? {})) {
      for (const tuple of kind.indexers?.[index]?.(object) ?? [])
        yield* this.#unique(kind, index, encodeTuple(tuple), key);
    }
    const { ownerReferences = [], labels = {} } = object.metadata;
    const named = requiredBy(kind, object).map((required) => ({
      from: key,
      field: required.field,
      key: keyOf(required.resource, required.namespace, required.name),
    }));
    if (kind.waits && isWaiting(object)) this.#waiting.push({ from: key, named: named.map((item) => item.key) });
    else this.#named.push(...named.filter((item) => !this.#keys.has(item.key)));
    for (const { uid } of ownerReferences) this.#owners.push({ from: key, uid });
    if (kind.internalId === true) yield* this.#id(kind, labels[kind.ownedKeys.internalId], key);
  }

  *#unique(kind: Kind, index: string, tuple: string, key: Key): Generator<Finding, void, undefined> {
    const row = `${kind.qualified} ${index} ${tuple}`;
    const other = this.#uniques.get(row);
    if (other !== undefined) yield { area: 'unique', key, message: `${other} has the same value of ${index}` };
    this.#uniques.set(row, key);
  }

  *#id(kind: Kind, label: string | undefined, key: Key): Generator<Finding, void, undefined> {
    const id = Number(label);
    if (label === undefined || !Number.isSafeInteger(id) || id < 1) {
      yield { area: 'counter', key, message: `it has no integer id (${label})` };
      return;
    }
    const sequence = kind.idSequence ?? kind.qualified;
    this.#highest.set(sequence, Math.max(id, this.#highest.get(sequence) ?? 0));
    yield* this.#unique({ ...kind, qualified: sequence }, 'the integer id', String(id), key);
  }
}
