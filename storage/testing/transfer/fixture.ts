import type { Backend, IndexRow } from '../../backend.js';
import type { Key } from '../../key.js';
import type { Head, Held, LoggedCommit, Receiver, ReceiverOptions, Repair, Snapshot } from '../../snapshot.js';
import { encodeTuple } from '../../tuple.js';
import { json, key, text } from '../backend/fixture.js';

export const DOMAIN = 'svc.app';

/** A place for a store, empty at first, and what opens the store there. Two of them are never open at the same time, except for a snapshot. */
export interface Place {
  open(): Promise<Backend>;
  snapshot(): Promise<Snapshot>;
  receive(options: ReceiverOptions): Promise<Receiver>;
  repair(): Promise<Repair>;
  /** Removes everything. All that was opened is closed. */
  remove(): Promise<void>;
}

/** Returns the place of the running test. */
export type Current = () => Place;

interface Closable {
  close(): Promise<void>;
}

/** Closes it after the work, however the work ends. */
export async function using<Opened extends Closable, Result>(
  opening: Promise<Opened>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** A row by tag, which is counted. */
export function tagged(tag: string): IndexRow {
  return { index: 'byTag', tuple: encodeTuple([tag, 1]), counted: encodeTuple([tag]) };
}

export function held(name: string, revision: number, ...tags: readonly string[]): Held {
  return { key: key(name), revision, value: json(`${name} ${revision}`), rows: tags.map(tagged) };
}

export function plainHeld({ key, revision, value, rows }: Held): unknown {
  return { key, revision, value: text(value), rows };
}

/** A commit that creates these objects, which are the last changes before `end`. */
export function creationOf(end: number, ...objects: readonly Held[]): LoggedCommit {
  const changes = objects.map(({ key, revision, value }) => ({ key, revision, value }));
  return { end, changes, counters: new Map([['teams', end]]), at: 1000 + end };
}

export function headOf(end: number, more: Partial<Head> = {}): Head {
  return { domain: DOMAIN, end, compacted: 0, at: 1000 + end, counters: new Map(), ...more };
}

export async function all<Item>(chunks: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const chunk of chunks) found.push(...chunk);
  return found;
}

export async function namesOf(chunks: AsyncIterable<readonly { readonly key: Key }[]>): Promise<readonly string[]> {
  return (await all(chunks)).map((one) => one.key.slice(key('').length));
}

export async function problemsOf(snapshot: Snapshot): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const problem of snapshot.indexProblems()) found.push(problem);
  return found;
}

/** What a call throws, or what it returns if it does not throw. */
export function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

export async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it succeeded',
    (error: unknown) => String(error),
  );
}
