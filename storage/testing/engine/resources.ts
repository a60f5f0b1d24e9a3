import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import type { IndexRow } from '../../backend.js';
import type { Transaction, TransactionState } from '../../engine/transaction.js';
import { type Key, keyOf, partsOf, resourceOf } from '../../key.js';
import { decodeObject, withoutRevision } from '../../state/codec.js';
import type { Entry } from '../../state/entry.js';
import type { ResourceDefinition } from '../../state/resource.js';
import type { StateReader } from '../../state/state.js';
import { encodeTuple } from '../../state/tuple.js';

export const FOLDERS = 'folders.folder.svc.app';
export const DASHBOARDS = 'dashboards.dashboard.svc.app';
export const NOTES = 'notes.note.svc.app';

export interface Spec {
  /** The parent folder; empty for the root. */
  readonly parent?: string;
  readonly title?: string;
  readonly n?: number;
  readonly text?: string;
}

export interface TestObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: Spec;
}

function rowsOf({ spec }: TestObject): readonly IndexRow[] {
  return [
    { index: 'parent', tuple: encodeTuple([spec.parent ?? '']) },
    ...(spec.title === undefined ? [] : [{ index: 'title', tuple: encodeTuple([spec.title]) }]),
  ];
}

function definition(resource: string): ResourceDefinition {
  return {
    resource,
    extract: (object) => {
      const { metadata } = object as TestObject;
      return { labels: metadata.labels, fields: { 'metadata.name': metadata.name } };
    },
    rows: (object) => rowsOf(object as TestObject),
  };
}

/** Folders contain folders and dashboards. Notes lie nowhere. */
export const DEFINITIONS: readonly ResourceDefinition[] = [FOLDERS, DASHBOARDS, NOTES].map(definition);

/** An error that a transaction throws itself. */
export class Refused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`refused: ${reason}`);
    this.reason = reason;
  }
}

export function key(resource: string, name: string): Key {
  return keyOf(resource, 'default', name);
}

export function objectOf(entry: Entry): TestObject {
  return decodeObject(entry.value) as TestObject;
}

export function objectAt(at: Key, spec: Spec, labels?: Readonly<Record<string, string>>): TestObject {
  const { name } = partsOf(at);
  return { kind: 'Test', metadata: { name, ...(labels && { labels }) }, spec };
}

function ids(view: TransactionState, resource: string): Readonly<Record<string, string>> {
  return { id: String(view.nextId(resource)) };
}

function entryAt(view: StateReader, at: Key): Entry | undefined {
  return view.resource(resourceOf(at)).get(at);
}

/**
 * Creates an object with the next internal id. Refused if it exists, if its parent does not, or if its title is used.
 */
export function create(resource: string, name: string, spec: Spec = {}): Transaction {
  const at = key(resource, name);
  return {
    run: (view) => {
      if (entryAt(view, at) !== undefined) throw new Refused('exists');
      requireParent(view, spec.parent);
      const { title } = spec;
      if (title !== undefined && [...view.resource(resource).range('title', encodeTuple([title]))].length > 0) {
        throw new Refused('taken');
      }
      view.put(at, objectAt(at, spec, ids(view, resource)));
    },
  };
}

/** Puts the object, whether it exists or not. An unchanged object is not written. */
export function put(
  resource: string,
  name: string,
  spec: Spec,
  labels?: Readonly<Record<string, string>>,
): Transaction {
  const at = key(resource, name);
  const object = objectAt(at, spec, labels);
  const text = canonicalJson(object);
  return {
    run: (view) => {
      const old = entryAt(view, at);
      if (old === undefined || Buffer.from(withoutRevision(old.value)).toString() !== text) view.put(at, object);
    },
  };
}

/** Puts several objects in one transaction: all or none. */
export function putAll(writes: readonly { readonly at: Key; readonly spec: Spec }[]): Transaction {
  return {
    run: (view) => {
      for (const { at, spec } of writes) view.put(at, objectAt(at, spec));
    },
  };
}

export function increment(resource: string, name: string): Transaction {
  const at = key(resource, name);
  return {
    run: (view) => {
      const old = entryAt(view, at);
      const n = old === undefined ? 0 : (objectOf(old).spec.n ?? 0);
      view.put(at, objectAt(at, { n: n + 1 }));
    },
  };
}

/** Deletes an object. Refused if it has contents. */
export function remove(resource: string, name: string): Transaction {
  const at = key(resource, name);
  return {
    run: (view) => {
      if (entryAt(view, at) === undefined) throw new Refused('missing');
      if (resource === FOLDERS && childrenOf(view, name).length > 0) throw new Refused('not empty');
      view.delete(at);
    },
  };
}

/** Deletes a folder and everything below it. */
export function removeTree(name: string): Transaction {
  return {
    run: (view) => {
      if (entryAt(view, key(FOLDERS, name)) === undefined) throw new Refused('missing');
      const gone: Key[] = [key(FOLDERS, name)];
      for (let i = 0; i < gone.length; i++) {
        const { resource, name: parent } = partsOf(gone[i] as Key);
        if (resource === FOLDERS) gone.push(...childrenOf(view, parent).map((child) => child.key));
      }
      for (const at of gone) view.delete(at);
    },
  };
}

export function move(name: string, parent: string): Transaction {
  const at = key(FOLDERS, name);
  return {
    run: (view) => {
      const old = entryAt(view, at);
      if (old === undefined) throw new Refused('missing');
      requireParent(view, parent);
      for (let up: string | undefined = parent; up !== undefined && up !== ''; up = parentOf(view, up)) {
        if (up === name) throw new Refused('cycle');
      }
      const { spec, metadata } = objectOf(old);
      if ((spec.parent ?? '') !== parent) view.put(at, objectAt(at, { ...spec, parent }, metadata.labels));
    },
  };
}

function requireParent(view: StateReader, parent: string | undefined): void {
  if (parent === undefined || parent === '') return;
  if (entryAt(view, key(FOLDERS, parent)) === undefined) throw new Refused('no parent');
}

function parentOf(view: StateReader, name: string): string | undefined {
  const entry = entryAt(view, key(FOLDERS, name));
  return entry === undefined ? undefined : objectOf(entry).spec.parent;
}

function childrenOf(view: StateReader, name: string): readonly Entry[] {
  const prefix = encodeTuple([name]);
  return [FOLDERS, DASHBOARDS].flatMap((resource) => [...view.resource(resource).range('parent', prefix)]);
}
