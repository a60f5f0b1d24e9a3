import type { Backend, Stored } from '../../backend.js';
import type { Key } from '../../key.js';
import type { Head, LoggedCommit, Receiver, ReceiverOptions, Snapshot } from '../../transfer/snapshot.js';
import { json, key } from '../backend/fixture.js';

export const DOMAIN = 'svc.app';

/**
 * A place for a store, empty at first, and what opens the store there. Two of them are never open at the same time,
 * except for a snapshot.
 */
export interface Place {
  open(): Promise<Backend>;
  snapshot(): Promise<Snapshot>;
  receive(options: ReceiverOptions): Promise<Receiver>;
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

export function held(name: string, revision: number): Stored {
  return { key: key(name), revision, value: json(`${name} ${revision}`) };
}

/** A commit that creates these objects, which are the last changes before `end`. */
export function creationOf(end: number, ...objects: readonly Stored[]): LoggedCommit {
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
