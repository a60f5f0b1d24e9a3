import { expect } from 'chai';
import { ulid } from 'ulid';
import type { Backend, Commit, Put, Revision, Stored } from '../../../storage/backend.js';
import { isStorageError } from '../../../storage/errors.js';
import { type Key, keyOf } from '../../../storage/key.js';
import { encodeTuple } from '../../../storage/state/tuple.js';

const RESOURCE = 'folders.folder.svc.app';
const KEYS = 20;
/** Counts objects by the position in the commit that wrote them last. */
const INDEX = 'byPosition';

export type Outcome = 'acknowledged' | 'behind' | 'unavailable' | 'unknown';

interface Entry {
  readonly commit: string;
  readonly after: Revision;
  readonly outcome: Outcome;
}

/** Appends commits and remembers the outcomes. In the end, the log must agree with every outcome. */
export class Ledger {
  readonly entries: Entry[] = [];
  readonly #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /**
   * Appends one commit of two changes. Their values contain its name. Returns `undefined` if the end of the log could
   * not be read.
   */
  async append(): Promise<Outcome | undefined> {
    const commit = ulid();
    let after: Revision;
    let changes: readonly Put[];
    try {
      after = await this.#backend.end();
      changes = await this.#changes(after, commit);
    } catch (error) {
      if (isStorageError(error, 'unavailable')) return undefined;
      throw error;
    }
    const outcome = await this.#backend.append(after, { commitId: commit, changes, counters: new Map() }).then(
      () => 'acknowledged' as const,
      (error: unknown) => {
        if (isStorageError(error) && ['behind', 'unavailable', 'unknown'].includes(error.code))
          return error.code as Outcome;
        throw error;
      },
    );
    this.entries.push({ commit, after, outcome });
    return outcome;
  }

  /** Appends until a commit is acknowledged. Appends may fail for a while after a fault. */
  async acknowledge(): Promise<void> {
    await eventually(async () => (await this.append()) === 'acknowledged' || undefined);
  }

  count(outcome: Outcome): number {
    return this.entries.filter((entry) => entry.outcome === outcome).length;
  }

  async #changes(after: Revision, commit: string): Promise<readonly Put[]> {
    const keys = [0, 7].map((step) => keyOf(RESOURCE, 'default', `n${(this.entries.length + step) % KEYS}`));
    const current = await this.#backend.get(keys);
    return keys.map((key, i) => {
      const previous = current.get(key);
      const value = new TextEncoder().encode(JSON.stringify({ commit, i }));
      const counted = encodeTuple([i]);
      const rows = [{ index: INDEX, tuple: encodeTuple([i, commit]), counted }];
      return { key, revision: after + i + 1, value, rows, ...(previous && { previous }) };
    });
  }

  /** Checks the log against the outcomes. Throws at the first violation. Returns a summary of one line. */
  async check(truth: Backend, tails: readonly (readonly Commit[])[] = []): Promise<string> {
    const end = await truth.end();
    const log = await read(truth, end);
    expectWhole(log, end);
    const committed = new Map(log.map((commit) => [nameOf(commit), commit]));
    for (const { commit, after, outcome } of this.entries) {
      const found = committed.get(commit);
      if (outcome === 'acknowledged') expect(found?.end, `the acknowledged ${commit}`).to.equal(after + 2);
      else if (outcome !== 'unknown') expect(found, `${commit}, with the outcome ${outcome}`).to.equal(undefined);
    }
    await expectState(truth, log);
    for (const tail of tails) {
      expect(tail.map((commit) => commit.end)).to.deep.equal(log.map((commit) => commit.end));
      expect(tail.map(nameOf)).to.deep.equal(log.map(nameOf));
    }
    const counts = (['acknowledged', 'behind', 'unavailable', 'unknown'] as const).map((o) => `${this.count(o)} ${o}`);
    return `${this.entries.length} appends (${counts.join(', ')}), ${log.length} commits in the log, ${tails.length} tails, violations: 0`;
  }
}

/** Expects a log without gaps, of whole commits of two changes with one name, each after the last change of its key. */
function expectWhole(log: readonly Commit[], end: Revision): void {
  const latest = new Map<Key, Revision>();
  let next = 1;
  for (const commit of log) {
    expect(commit.changes).to.have.length(2);
    expect(new Set(commit.changes.map((change) => nameOf({ ...commit, changes: [change] }))).size).to.equal(1);
    for (const { key, revision, previous } of commit.changes) {
      expect(revision).to.equal(next++);
      expect(previous?.revision).to.equal(latest.get(key));
      latest.set(key, revision);
    }
    expect(commit.end).to.equal(next - 1);
  }
  expect(next - 1).to.equal(end);
}

async function expectState(truth: Backend, log: readonly Commit[]): Promise<void> {
  const replayed = new Map<Key, string>();
  for (const { key, value } of log.flatMap((commit) => commit.changes)) {
    replayed.set(key, Buffer.from(value ?? []).toString());
  }
  const found: Stored[] = [];
  for await (const chunk of truth.load(RESOURCE)) found.push(...chunk);
  const state = new Map(found.map(({ key, value }) => [key, Buffer.from(value).toString()]));
  expect(Object.fromEntries(state)).to.deep.equal(Object.fromEntries(replayed));
}

function nameOf({ changes }: Commit): string {
  return (JSON.parse(Buffer.from(changes[0]?.value ?? []).toString()) as { readonly commit: string }).commit;
}

export async function read(backend: Backend, end: Revision): Promise<readonly Commit[]> {
  const found: Commit[] = [];
  if (end === 0) return found;
  for await (const commit of backend.tail(0, new AbortController().signal)) {
    found.push(commit);
    if (commit.end >= end) break;
  }
  return found;
}

/** Follows the log from the beginning. `until` waits for a revision and ends it. */
export function follow(backend: Backend): { readonly found: Commit[]; until(end: Revision): Promise<void> } {
  const found: Commit[] = [];
  const abort = new AbortController();
  let wanted = Number.POSITIVE_INFINITY;
  const following = (async () => {
    for await (const commit of backend.tail(0, abort.signal)) {
      found.push(commit);
      if (commit.end >= wanted) return;
    }
  })();
  return {
    found,
    until: async (end) => {
      wanted = end;
      if ((found.at(-1)?.end ?? 0) >= end) abort.abort();
      await following;
    },
  };
}

export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
