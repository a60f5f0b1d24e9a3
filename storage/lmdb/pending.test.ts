import { expect } from 'chai';
import type { Change } from '../backend.js';
import { batchOf, key } from '../testing/backend/fixture.js';
import { PendingChanges } from './pending.js';

describe('lmdb: changes that are not in the objects yet', () => {
  const change = (name: string, revision: number, bytes = 1): Change => {
    return { key: key(name), revision, value: Buffer.alloc(bytes) };
  };

  it('are given in parts of several commits, each of which begins where the former ended', () => {
    const pending = new PendingChanges();
    const quarter = 256 * 1024;
    for (let end = 1; end <= 5; end++) pending.add(end - 1, batchOf([change(`n${end}`, end, quarter)], { teams: end }));
    const [first, second, third] = [pending.take(0), pending.take(2), pending.take(4)];
    expect([first, second, third].map((part) => part && [part.from, part.through])).to.deep.equal([
      [0, 2],
      [2, 4],
      [4, 5],
    ]);
    expect([...(first?.result.changes.keys() ?? [])]).to.deep.equal([key('n1'), key('n2')]);
    expect(third?.result.counters.get('teams')).to.equal(5);
    expect(pending.take(5)).to.equal(undefined);
  });

  it('grow no more when they are taken, and are given up if something else has written them', () => {
    const pending = new PendingChanges();
    pending.add(0, batchOf([change('a', 1)]));
    const taken = pending.take(0);
    pending.add(1, batchOf([change('b', 2), change('c', 3)]));
    expect(taken?.result.changes.size).to.equal(1);
    expect(pending.take(2), 'a part that begins before').to.equal(undefined);
    expect(pending.take(1), 'which is gone then').to.equal(undefined);
  });

  it('have a bound: what is beyond is left to the log', () => {
    const pending = new PendingChanges();
    const mebibytes = (count: number): number => count * 1024 * 1024;
    for (let end = 1; end <= 20; end++) pending.add(end - 1, batchOf([change(`n${end}`, end, mebibytes(1))]));
    let through = 0;
    for (let part = pending.take(0); part !== undefined; part = pending.take(through)) through = part.through;
    expect(through).to.equal(16);
    pending.add(20, batchOf([change('later', 21)]));
    expect(pending.take(20)?.through).to.equal(21);
  });

  it('are counted, too: many deletions and small objects make several parts, and have the same bound', () => {
    const pending = new PendingChanges();
    const gone = (end: number): readonly Change[] =>
      Array.from({ length: 100 }, (_, i) => ({ key: key(`n${end + i}`), revision: end + i + 1 }));
    for (let end = 0; end < 50_000; end += 100) pending.add(end, batchOf(gone(end)));
    const ends = [0];
    for (let part = pending.take(0); part !== undefined; part = pending.take(part.through)) ends.push(part.through);
    expect(ends.slice(0, 3)).to.deep.equal([0, 1100, 2200]);
    expect(ends.at(-1)).to.be.within(32_000, 33_000);
  });
});
