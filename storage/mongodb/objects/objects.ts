import { runStepsYielding } from '../../../pkg/system/yielding/yielding.js';
import type { Change, Commit, Put } from '../../backend.js';
import { type Key, resourceOf } from '../../key.js';
import { decodedInSteps } from '../../state/codec.js';
import { inCommands, type WriteCommand } from '../append/commands.js';
import { type ObjectDocument, objectDocument, searchableParts, textOf } from '../format/documents.js';

/** What some commits leave. */
export interface ObjectChanges {
  /** By resource, the last change of each object. */
  readonly last: ReadonlyMap<string, ReadonlyMap<Key, Put>>;
  /** The keys that had an object before. */
  readonly existing: ReadonlySet<Key>;
}

export function objectChanges(commits: Iterable<Commit>): ObjectChanges {
  const last = new Map<string, Map<Key, Change>>();
  const existing = new Set<Key>();
  for (const { changes } of commits) {
    for (const change of changes) {
      const resource = resourceOf(change.key);
      const own = last.get(resource) ?? new Map<Key, Change>();
      last.set(resource, own);
      if (change.previous !== undefined && !own.has(change.key)) existing.add(change.key);
      own.set(change.key, change);
    }
  }
  return { last, existing };
}

/** Bytes. A text of so many can have 70,000 values, and takes up to 15 milliseconds to parse. */
const LARGE = 2 ** 20;

/** The same with the objects of large values, parsed in steps. A document repeats members of its object. */
export async function withLargeObjects({ last, existing }: ObjectChanges): Promise<ObjectChanges> {
  const resources = new Map<string, Map<Key, Put>>();
  for (const [resource, changes] of last) {
    const own = new Map<Key, Put>();
    resources.set(resource, own);
    for (const [key, change] of changes) own.set(key, await withLargeObject(change));
  }
  return { last: resources, existing };
}

async function withLargeObject(change: Put): Promise<Put> {
  if (change.object !== undefined || change.value === undefined || change.value.length < LARGE) return change;
  try {
    return { ...change, object: searchableParts(await runStepsYielding(decodedInSteps(change.value))) };
  } catch {
    // The document of a value that is no JSON repeats nothing. Without an object, the value would be parsed again.
    return { ...change, object: {} };
  }
}

/** Inserts of new objects cost the database half as much as updates that insert, but a command of their own. */
const INSERTED_FROM = 4;

/**
 * The commands that write them, in the order of the keys. They are made one after another, so that others get their
 * turns while the database answers.
 */
export function* objectCommands({ last, existing }: ObjectChanges): Generator<WriteCommand, void, undefined> {
  for (const [resource, changes] of last) yield* commandsOf(resource, [...changes.values()], existing);
}

function* commandsOf(
  resource: string,
  changes: readonly Put[],
  existing: ReadonlySet<Key>,
): Generator<WriteCommand, void, undefined> {
  const sorted = changes.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const gone = sorted.filter(({ value }) => value === undefined).map(({ key }) => key);
  const put = sorted.filter(({ value }) => value !== undefined);
  const fresh = put.filter(({ key }) => !existing.has(key));
  const isInserted = fresh.length === put.length || fresh.length >= INSERTED_FROM;
  const inserted = isInserted ? fresh : [];
  const replaced = isInserted ? put.filter(({ key }) => existing.has(key)) : put;
  yield* inCommands(documentsOf(inserted), sizeOfBody, (documents) => ({ insert: resource, documents }));
  yield* inCommands(documentsOf(replaced), sizeOfBody, (part) => replacement(resource, part));
  yield* inCommands(
    gone,
    (key) => key.length,
    (part) => ({ delete: resource, deletes: [{ q: { _id: { $in: part } }, limit: 0 }] }),
  );
}

function* documentsOf(changes: readonly Put[]): Generator<ObjectDocument, void, undefined> {
  for (const change of changes) yield objectDocument(change, textOf(change.value ?? new Uint8Array()));
}

function sizeOfBody({ body }: ObjectDocument): number {
  return body.length;
}

function replacement(resource: string, documents: readonly ObjectDocument[]): WriteCommand {
  const updates = documents.map(({ _id, ...u }) => ({ q: { _id }, u, upsert: true }));
  return { update: resource, updates, ordered: false };
}
