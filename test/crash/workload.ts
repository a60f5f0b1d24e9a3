import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Client } from '../e2e/client.js';

export const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

interface Folder {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: { readonly title: string };
}

/**
 * Milliseconds between the answer of a writer and its next request. Several writers keep a server busy all the same,
 * and do not take the processors from servers that start, stop or elect each other beside them.
 */
const REST = 5;

/** A seeded random generator (mulberry32), so that a failing run can be repeated with its seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The state of the folder of one writer: the last title that was acknowledged, and the title of a write with unknown
 * outcome.
 */
export interface Ledger {
  /** `undefined`: acknowledged as deleted, or never created. */
  acknowledged: string | undefined;
  /** Sent but not answered, so it may be stored or not. `null` is a deletion. */
  pending: string | null | undefined;
  operations: number;
}

/** Changes the folder of one writer repeatedly, until the server does not answer or the signal aborts. */
export async function write(
  client: Client,
  name: string,
  ledger: Ledger,
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const remove = ledger.acknowledged !== undefined && random() < 0.1;
    const title = `${name} ${ledger.operations++}`;
    ledger.pending = remove ? null : title;
    try {
      const answer = await send(client, name, ledger.acknowledged === undefined, ledger.pending);
      if (answer.status >= 500) return;
      expect(answer.status, answer.text).to.be.oneOf([200, 201]);
      ledger.acknowledged = ledger.pending ?? undefined;
      ledger.pending = undefined;
      await sleep(REST);
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') throw error;
      return;
    }
  }
}

function send(client: Client, name: string, isNew: boolean, title: string | null) {
  if (title === null) return client.request('DELETE', `${FOLDERS}/${name}`);
  const body = { metadata: { name }, spec: { title } };
  return isNew ? client.request('POST', FOLDERS, { body }) : client.request('PUT', `${FOLDERS}/${name}`, { body });
}

/** Lists the folders, returns contradictions to the ledgers, and updates the ledgers. */
export async function settle(client: Client, ledgers: ReadonlyMap<string, Ledger>): Promise<readonly string[]> {
  const folders = await list(client);
  const violations: string[] = [];
  for (const [name, ledger] of ledgers) {
    const stored = folders.titles.get(name);
    const possible = [ledger.acknowledged, ...(ledger.pending === undefined ? [] : [ledger.pending ?? undefined])];
    if (!possible.includes(stored))
      violations.push(`${name}: ${stored} is stored, expected one of ${JSON.stringify(possible)}`);
    ledger.acknowledged = stored;
    ledger.pending = undefined;
  }
  return violations;
}

export interface Listed {
  readonly revision: string;
  readonly titles: ReadonlyMap<string, string>;
}

export async function list(client: Client, query = ''): Promise<Listed> {
  const answer = await client.request('GET', `${FOLDERS}${query}`);
  expect(answer.status, answer.text).to.equal(200);
  const body = answer.json<{ metadata: { resourceVersion: string }; items: readonly Folder[] }>();
  return {
    revision: body.metadata.resourceVersion,
    titles: new Map(body.items.map(({ metadata, spec }) => [metadata.name, spec.title])),
  };
}

/** Follows a watch from a list to a revision, and returns the list with the events applied to it. */
export async function replay(client: Client, from: Listed, until: string): Promise<ReadonlyMap<string, string>> {
  const titles = new Map(from.titles);
  if (BigInt(from.revision) >= BigInt(until)) return titles;
  let last = BigInt(from.revision);
  for await (const line of client.lines(`${FOLDERS}?watch=true&resourceVersion=${from.revision}&timeoutSeconds=60`)) {
    const { type, object } = JSON.parse(line) as { type: string; object: Folder };
    const revision = BigInt(object.metadata.resourceVersion);
    expect(revision > last, `events in order: ${revision} after ${last} (${line.slice(0, 200)})`).to.equal(true);
    last = revision;
    if (type === 'DELETED') titles.delete(object.metadata.name);
    else titles.set(object.metadata.name, object.spec.title);
    if (revision >= BigInt(until)) break;
  }
  return titles;
}
