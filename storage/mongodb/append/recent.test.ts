import { expect } from 'chai';
import type { Batch } from '../../backend.js';
import type { Key } from '../../key.js';
import { RecentCommits, sizeOf } from './recent.js';

const MIB = 1024 * 1024;

function batchOf(after: number, bytes: number): Batch {
  const value = Buffer.alloc(bytes, after);
  return { commitId: String(after), changes: [{ key: 'k' as Key, revision: after + 1, value }], counters: new Map() };
}

function keptOf(recent: RecentCommits, count: number): readonly number[] {
  return Array.from({ length: count }, (_, after) => after).filter((after) => recent.after(after) !== undefined);
}

describe('recent commits', () => {
  it('are found by the revision before them, and own their bytes', () => {
    const recent = new RecentCommits();
    const batch = batchOf(7, 4);
    recent.add(7, batch);
    (batch.changes[0]!.value as Buffer).fill(0);
    expect(recent.after(7)).to.deep.include({ end: 8 });
    expect(recent.after(7)?.changes[0]?.value).to.deep.equal(Buffer.alloc(4, 7));
    expect(recent.after(8)).to.equal(undefined);
  });

  it('have the values that were replaced, and the counters', () => {
    const recent = new RecentCommits();
    const [key, value] = ['k' as Key, Buffer.from('new')];
    const previous = { key, revision: 3, value: Buffer.from('old') };
    const counters = new Map([['x', 1]]);
    recent.add(7, {
      commitId: 'c',
      changes: [
        { key, revision: 8, value, previous },
        { key, revision: 9 },
      ],
      counters,
    });
    previous.value.fill(0);
    expect(recent.after(7)).to.deep.equal({
      end: 9,
      id: 'c',
      changes: [
        { key, revision: 8, value, previous: { key, revision: 3, value: Buffer.from('old') } },
        { key, revision: 9 },
      ],
      counters,
    });
    expect(sizeOf({ key, revision: 8, value, previous })).to.equal(6);
    recent.clear();
    expect(recent.after(7)).to.equal(undefined);
  });

  it('have what a document repeats of an object, and no more of it', () => {
    const recent = new RecentCommits();
    const metadata = { uid: 'u', labels: { team: 'a' }, annotations: { x: 'y' } };
    const object = { metadata, spec: { title: 'T', text: 'long' } };
    recent.add(7, { ...batchOf(7, 4), changes: [{ ...batchOf(7, 4).changes[0]!, object }] });
    const parts = { metadata: { uid: 'u', labels: { team: 'a' } }, spec: { title: 'T' } };
    expect(recent.after(7)?.changes[0]).to.deep.include({ object: parts });
  });

  it('have changes: one without any is not after itself', () => {
    const recent = new RecentCommits();
    recent.add(7, { commitId: 'c', changes: [], counters: new Map([['x', 1]]) });
    expect(recent.after(7)).to.equal(undefined);
  });

  it('are the newest 512, whether they were read or not', () => {
    const recent = new RecentCommits();
    for (let after = 0; after < 520; after++) {
      recent.add(after, batchOf(after, 0));
      recent.after(0);
    }
    expect(keptOf(recent, 520)).to.deep.equal(Array.from({ length: 512 }, (_, i) => i + 8));
  });

  it('have at most eight mebibytes together and alone', () => {
    const recent = new RecentCommits();
    for (let after = 0; after < 5; after++) recent.add(after, batchOf(after, 3 * MIB));
    expect(keptOf(recent, 5)).to.deep.equal([3, 4]);
    recent.add(5, batchOf(5, 8 * MIB + 1));
    expect(keptOf(recent, 6)).to.deep.equal([3, 4]);
    recent.add(5, batchOf(5, 8 * MIB));
    expect(keptOf(recent, 6)).to.deep.equal([5]);
  });
});
