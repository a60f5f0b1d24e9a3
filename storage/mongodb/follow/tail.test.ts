import { expect } from 'chai';
import { Binary } from 'mongodb';
import type { Commit, Revision } from '../../backend.js';
import { StorageError } from '../../errors.js';
import { encodeWhole } from '../../log/segment.js';
import { plainCommit } from '../../testing/backend/fixture.js';
import { created } from '../../testing/mongodb.js';
import type { ChangeDocument, CommitDocument, LinkedCommit } from '../format/documents.js';
import { tail } from './tail.js';

const one = (revision: Revision, end: Revision = revision, more: Partial<ChangeDocument> = {}): ChangeDocument => ({
  ...{ _id: revision, end, commit: 'c', parent: 'c', at: new Date(0), key: created(revision).key },
  ...{ body: '{}', ...more },
});
const commitOf = (...revisions: readonly Revision[]): LinkedCommit => ({
  end: revisions.at(-1) ?? 0,
  ...{ id: 'c', parent: 'c' },
  changes: revisions.map((revision) => created(revision)),
  counters: new Map(),
});

interface Given {
  /** What each read of the log finds, or its error. The last one is found again. */
  readonly reads: readonly (readonly (ChangeDocument | CommitDocument)[] | Error)[];
  readonly end?: Revision;
  /** What is compacted, as each look finds it. The last one is found again. */
  readonly points?: readonly Revision[];
  readonly recent?: readonly Commit[];
  readonly heard?: readonly Commit[];
  /** Looks at the compaction fail, the first so many. */
  readonly blind?: number;
  /** Up to where the caller has all commits. */
  readonly known?: () => Revision;
}

/** A tail of a log that tells what it is asked for. */
function tailOf(
  { reads, end = 0, points = [], recent = [], heard = [], blind = 0, known }: Given,
  after: Revision = 0,
) {
  const told: string[] = [];
  const stop = new AbortController();
  let [read, looks] = [0, 0];
  const commitAfter = (all: readonly Commit[]) => (position: Revision) =>
    all.find((commit) => commit.end - commit.changes.length === position);
  const database = {
    startReading: () => ({ endSession: async () => void told.push('ended') }),
    advance: () => undefined,
    changes: {
      find: ({ _id }: { readonly _id: { readonly $gt: Revision } }, { sort }: { readonly sort?: object }) => {
        told.push(`read ${_id.$gt}`);
        const found = reads[Math.min(read++, reads.length - 1)] ?? [];
        if (found instanceof Error) throw found;
        const inRange = found.filter((document) => document._id > _id.$gt);
        // MongoDB promises no order if none is wanted.
        const documents = sort === undefined || !('_id' in sort) ? inRange.reverse() : inRange;
        return {
          async *[Symbol.asyncIterator]() {
            yield* documents;
          },
          close: async () => void told.push('closed'),
        };
      },
    },
    staged: { find: () => [] },
    logHead: { findOne: async () => null },
    read: (work: (session: undefined) => unknown) => work(undefined),
  };
  const follower = {
    get point() {
      return points[Math.min(looks, points.length) - 1] ?? 0;
    },
    after: commitAfter(heard),
    isBeyond: (position: Revision) => end > position,
    advance: () => undefined,
    look: async () => {
      if (looks++ < blind) {
        told.push('blind');
        throw new Error('no primary');
      }
    },
    wait: async (position: Revision) => {
      told.push(`wait ${position}`);
      stop.abort();
    },
  };
  const source = { database, follower, recent: { after: commitAfter(recent) } };
  return { told, stop, commits: tail(source as never, { after, known }, stop.signal) };
}

/** The commits until the tail waits for more, or its error. */
async function followed(given: Given, after?: Revision) {
  const { told, commits } = tailOf(given, after);
  const found: unknown[] = [];
  try {
    for await (const commit of commits) found.push(commit.changes.map(({ revision }) => revision));
  } catch (error) {
    expect(error).to.be.instanceOf(StorageError);
    return { found, told, code: (error as StorageError).code };
  }
  return { found, told };
}

describe('a tail of MongoDB', () => {
  it('reads all that is there with one cursor, closes it, and waits', async () => {
    const reads = [[one(1), one(2, 3), one(3), one(4)]];
    expect(await followed({ reads })).to.deep.equal({
      found: [[1], [2, 3], [4]],
      told: ['read 0', 'closed', 'ended', 'wait 4'],
    });
  });

  it('takes a commit that has one document, from any of its changes', async () => {
    const changes = [1, 2].map((revision) => created(revision));
    const segment = new Binary(encodeWhole(0, { commitId: 'c', changes, counters: new Map() }));
    const whole: CommitDocument = { _id: 2, from: 1, commit: 'c', at: new Date(0), segment };
    expect((await followed({ reads: [[whole, one(3)]] })).found).to.deep.equal([[1, 2], [3]]);
    expect((await followed({ reads: [[whole, one(3)]] }, 1)).found).to.deep.equal([[2], [3]]);
  });

  it('has the changes of a commit', async () => {
    const { commits } = tailOf({ reads: [[one(1, 2), one(2)]] });
    const found = [];
    for await (const commit of commits) found.push(plainCommit(commit));
    expect(found).to.deep.equal([plainCommit(commitOf(1, 2))]);
  });

  it('does not read what this server has written, or what it has heard', async () => {
    const known = { recent: [commitOf(2), commitOf(5)], heard: [commitOf(3, 4)] };
    expect(await followed({ reads: [[one(1)]], ...known })).to.deep.equal({
      found: [[1], [2], [3, 4], [5]],
      told: ['read 0', 'closed', 'ended', 'wait 5'],
    });
  });

  it('leaves out what its caller has written itself, but for the last of it, and goes on after it', async () => {
    const given = { reads: [[one(1)]], recent: [commitOf(2), commitOf(3, 4), commitOf(5)] };
    expect((await followed({ ...given, known: () => 4 })).found).to.deep.equal([[1], [3, 4], [5]]);
    expect((await followed(given)).found).to.deep.equal([[1], [2], [3, 4], [5]]);
  });

  it('takes nothing that was heard before it has looked at what is compacted', async () => {
    const { code, found } = await followed({ reads: [[]], points: [3], heard: [commitOf(1)] });
    expect([found, code]).to.deep.equal([[], 'compacted']);
  });

  it('begins at what is compacted, and not before', async () => {
    const reads = [[one(4)]];
    expect((await followed({ reads, points: [3] }, 3)).found).to.deep.equal([[4]]);
    expect((await followed({ reads, points: [3] }, 2)).code).to.equal('compacted');
  });

  it('reads again after a failure', async () => {
    const reads = [new Error('no primary'), [one(1)]];
    const { found, told } = await followed({ reads, end: 1 });
    expect(found).to.deep.equal([[1]]);
    expect(told).to.deep.equal(['read 0', 'ended', 'read 0', 'closed', 'ended', 'wait 1']);
    expect((await followed({ reads: [[one(1)]], end: 1, blind: 2 })).found).to.deep.equal([[1]]);
    expect((await followed({ reads: [[one(1)]], blind: 1 })).found).to.deep.equal([[1]]);
  });

  it('reads again if it finds less than the log has, or a gap that no compaction made', async () => {
    const late = await followed({ reads: [[], [one(1)]], end: 1 });
    expect(late.found).to.deep.equal([[1]]);
    const gap = await followed({
      reads: [
        [one(1), one(3)],
        [one(2), one(3)],
      ],
      end: 3,
    });
    expect(gap.found).to.deep.equal([[1], [2], [3]]);
    expect(gap.told.filter((one) => one.startsWith('read'))).to.deep.equal(['read 0', 'read 1']);
  });

  it('ends if a compaction has overtaken it', async () => {
    const gap = await followed({ reads: [[one(1), one(4)]], points: [0, 3], end: 4 });
    expect([gap.found, gap.code]).to.deep.equal([[[1]], 'compacted']);
    const emptied = await followed({ reads: [[]], points: [0, 3], end: 3 });
    expect(emptied.code).to.equal('compacted');
    const before = await followed({ reads: [[one(4)]], points: [0, 3], end: 4 }, 3);
    expect(before.found).to.deep.equal([[4]]);
  });

  it('reads a staged value again that was not there, or ends if it was compacted', async () => {
    const { body, ...rest } = one(2, 3);
    const large = [{ ...rest, staged: 'c@2' }, one(3)];
    const again = await followed({
      reads: [
        [one(1), ...large],
        [one(2, 3), one(3)],
      ],
      end: 3,
    });
    expect(again.found).to.deep.equal([[1], [2, 3]]);
    const compacted = await followed({ reads: [[one(1), ...large]], points: [0, 3], end: 3 });
    expect([compacted.found, compacted.code, body]).to.deep.equal([[[1]], 'compacted', '{}']);
    expect(compacted.told.filter((told) => told.startsWith('read'))).to.deep.equal(['read 0']);
  });

  it('does not take a staged value for compacted, if its commit is not', async () => {
    const { body, ...rest } = one(2, 3);
    const large = [{ ...rest, staged: 'c@2' }, one(3)];
    const given = {
      reads: [
        [one(1), ...large],
        [one(2, 3), one(3)],
      ],
      points: [0, 1],
      end: 3,
    };
    expect([(await followed(given)).found, body]).to.deep.equal([[[1], [2, 3]], '{}']);
  });

  it('waits longer after each failure', async () => {
    for (const given of [
      { reads: [new Error('no primary')], end: 1 },
      { reads: [], blind: 100 },
    ]) {
      const { told, stop, commits } = tailOf(given);
      const began = performance.now();
      const ended = commits[Symbol.asyncIterator]().next();
      while (told.filter((one) => one !== 'ended').length < 3) await new Promise(setImmediate);
      // 40 and 80 ms, which a timer may round down.
      expect(performance.now() - began).to.be.above(110);
      stop.abort();
      expect((await ended).done).to.equal(true);
    }
  });

  it('does not pause if nothing has failed', async () => {
    for (const [given, last] of [
      [{ reads: [[one(1)]] }, 'wait 1'],
      [{ reads: [[]] }, 'wait 0'],
      [{ reads: [[one(1)], [one(2)]], end: 2 }, 'wait 2'],
    ] as const) {
      const { told, commits } = tailOf(given);
      const all = (async () => {
        for await (const commit of commits) told.push(`commit ${commit.end}`);
      })();
      // A pause takes longer than these turns of the event loop.
      for (let turns = 0; turns < 50 && !told.includes(last); turns++) await new Promise(setImmediate);
      expect(told).to.include(last);
      await all;
    }
  });

  it('stops when it is told to: before a read, during one, and after a commit', async () => {
    const { told, stop, commits } = tailOf({ reads: [[one(1), one(2)]] });
    const found = commits[Symbol.asyncIterator]();
    expect((await found.next()).value.end).to.equal(1);
    stop.abort();
    expect((await found.next()).done).to.equal(true);
    expect(told).to.deep.equal(['read 0', 'closed', 'ended']);
    const other = tailOf({ reads: [new Error('no primary')], end: 1 });
    const waiting = other.commits[Symbol.asyncIterator]().next();
    other.stop.abort();
    expect((await waiting).done).to.equal(true);
  });
});
