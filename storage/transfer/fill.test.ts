import { expect } from 'chai';
import type { Stored } from '../backend.js';
import { compareKeys, type Key, keyOf } from '../key.js';
import { batches, fill } from './fill.js';
import type { LoggedCommit, Receiver, Snapshot } from './snapshot.js';

const key = (name: string): Key => keyOf('things.x', '', name);
const held = (name: string, revision = 1, bytes = 1): Stored => ({
  key: key(name),
  revision,
  value: Buffer.alloc(bytes),
});

async function* chunks<T>(all: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* all;
}

interface Given {
  readonly objects?: readonly (readonly Stored[])[];
  readonly there?: readonly (readonly Stored[])[];
  readonly log?: readonly number[];
  readonly compacted?: number;
  readonly logged?: number;
}

/** Fills a receiver that writes down what it is told. */
async function filled({ objects = [], there = [], log = [], compacted = 0, logged = compacted }: Given) {
  const told: string[] = [];
  const progress: number[] = [];
  const names = (keys: Iterable<Key>) => [...keys].map((one) => one.slice('things.x//'.length)).join('');
  const commits = log.map((end): LoggedCommit => ({ end, at: 0, changes: [], counters: new Map() }));
  const snapshot = {
    head: { compacted, end: log.at(-1) ?? compacted },
    objects: () => chunks(objects),
    commits: (after: number) => chunks(commits.filter(({ end }) => end > after).map((one) => [one])),
  } as unknown as Snapshot;
  const receiver = {
    present: () => chunks(there),
    logged: async () => logged,
    put: async (all: readonly Stored[], existing: ReadonlySet<Key>) =>
      void told.push(`put ${names(all.map((one) => one.key))} over ${names(existing)}`),
    remove: async (keys: readonly Key[]) => void told.push(`remove ${names(keys)}`),
    log: async (all: readonly LoggedCommit[]) => void told.push(`log ${all.map(({ end }) => end).join(' ')}`),
  } as unknown as Receiver;
  const result = await fill(snapshot, receiver, (done) => progress.push(done));
  return { told, progress, ...result };
}

const NOTHING = { written: 0, unchanged: 0, removed: 0, commits: 0 };

describe('the filling of a store from a snapshot', () => {
  it('writes everything into an empty store', async () => {
    const objects = [[held('a'), held('b')]];
    expect(await filled({ objects })).to.deep.equal({ ...NOTHING, told: ['put ab over '], progress: [2], written: 2 });
    expect(await filled({})).to.deep.equal({ ...NOTHING, told: [], progress: [] });
  });

  it('leaves what is there with the same revision', async () => {
    const objects = [[held('a'), held('b'), held('c', 2)]];
    const there = [[held('a')], [], [held('b'), held('c')]];
    expect(await filled({ objects, there })).to.deep.equal({
      ...NOTHING,
      told: ['put c over c'],
      progress: [3],
      written: 1,
      unchanged: 2,
    });
    expect((await filled({ objects, there: objects })).told).to.deep.equal([]);
  });

  it('removes what the snapshot does not have, before, between and behind', async () => {
    const there = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => held(name));
    const { told, removed, written, unchanged } = await filled({
      objects: [[held('b'), held('dd'), held('e')]],
      there: [there.slice(0, 5), there.slice(5, 6), there.slice(6)],
    });
    expect(told).to.deep.equal(['remove acd', 'put dd over ', 'remove f', 'remove g']);
    expect([removed, written, unchanged]).to.deep.equal([5, 1, 2]);
    expect((await filled({ there: [there] })).told).to.deep.equal(['remove abcdefg']);
  });

  it('removes nothing that the snapshot has, also if it ends in the middle of what is there', async () => {
    const there = [['a', 'b', 'c', 'd'].map((name) => held(name)), [held('e')]];
    const { told, removed, unchanged } = await filled({ objects: [[held('a'), held('b')]], there });
    expect(told.join(' ').replaceAll('remove ', '')).to.equal('cd e');
    expect([removed, unchanged]).to.deep.equal([3, 2]);
  });

  it('continues the log where it is', async () => {
    const log = [3, 5, 6];
    expect(await filled({ log, compacted: 2 })).to.include({ commits: 3 });
    const { told, commits } = await filled({ log, compacted: 2, logged: 5 });
    expect([told, commits]).to.deep.equal([['log 6'], 1]);
    expect((await filled({ log, logged: 6 })).told).to.deep.equal([]);
  });

  it('fails if a write fails', async () => {
    const snapshot = { head: { compacted: 0, end: 0 }, objects: () => chunks([[held('a')]]) } as unknown as Snapshot;
    const put = () => Promise.reject(new Error('full'));
    const receiver = { present: () => chunks([]), put, logged: async () => 0 } as unknown as Receiver;
    expect(String(await fill(snapshot, receiver, () => undefined).catch((error: unknown) => error))).to.equal(
      'Error: full',
    );
  });
});

describe('the batches of a filling', () => {
  const sizes = async (...all: readonly (readonly Stored[])[]) => {
    const found: number[] = [];
    for await (const batch of batches(chunks(all))) found.push(batch.length);
    return found;
  };

  it('have a thousand objects or a mebibyte', async () => {
    const many = Array.from({ length: 500 }, (_, i) => held(`n${i}`));
    expect(await sizes(many, many, many)).to.deep.equal([1000, 500]);
    const half = [held('a', 1, 512 * 1024)];
    expect(await sizes(half, half, half)).to.deep.equal([2, 1]);
    expect([await sizes(), await sizes([])]).to.deep.equal([[], []]);
  });
});

describe('the order of keys', () => {
  it('is that of their bytes', () => {
    const order = (a: string, b: string) => Math.sign(compareKeys(a, b));
    expect([order('a', 'a'), order('a', 'b'), order('b', 'a'), order('a', 'aa')]).to.deep.equal([0, -1, 1, -1]);
    expect(order('\uffff', '\u{1f600}')).to.equal(-1);
  });
});
