import { expect } from 'chai';
import type { Client } from '../e2e/client.js';

export const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

interface Folder {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: { readonly title: string };
}

/** Small, fast and seeded (mulberry32): a failing run is repeated with its seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What each writer knows of its own folder: the last title that was acknowledged, and one whose fate is unknown. */
export interface Ledger {
  /** `undefined`: acknowledged as deleted, or never made. */
  acknowledged: string | undefined;
  /** Sent and not answered: it may be there or not. `null` stands for a deletion. */
  pending: string | null | undefined;
  operations: number;
}

/** Each writer owns one folder and changes it again and again, until the server is gone or told to stop. */
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

/** Lists what is there now; returns what contradicts the ledgers, and settles them by what is there. */
export async function settle(client: Client, ledgers: ReadonlyMap<string, Ledger>): Promise<readonly string[]> {
  const folders = await list(client);
  const violations: string[] = [];
  for (const [name, ledger] of ledgers) {
    const there = folders.titles.get(name);
    const possible = [ledger.acknowledged, ...(ledger.pending === undefined ? [] : [ledger.pending ?? undefined])];
    if (!possible.includes(there))
      violations.push(`${name}: ${there} is there, expected one of ${JSON.stringify(possible)}`);
    ledger.acknowledged = there;
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

/** Follows a watch from a list up to a revision and returns the state that its events lead to. */
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
