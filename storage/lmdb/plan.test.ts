import { expect } from 'chai';
import type { Batch, Put } from '../backend.js';
import { batchOf, key } from '../testing/backend/fixture.js';
import { planAppend, planObjects } from './plan.js';
import { META, versionOf } from './tables.js';

const value = Buffer.from('{}');
const put = (name: string, revision: number, more: Partial<Put> = {}): Put => ({
  key: key(name),
  revision,
  value,
  ...more,
});

describe('lmdb: the operations of a commit', () => {
  it('are the log, and the end as the last', async () => {
    const operations = await planAppend(4, batchOf([put('a', 5)], { teams: 3 }), { end: 5, at: 99, commit: 'c' });
    expect(operations.map(({ table }) => table)).to.deep.equal(['log', 'meta']);
    expect(operations.at(-1)).to.deep.equal({
      table: 'meta',
      key: META.end,
      value: { end: 5, at: 99, commit: 'c' },
      version: versionOf(5),
    });
  });

  it('of objects write them with their revisions, or remove them', () => {
    expect(planObjects([put('a', 5), { key: key('b'), revision: 6 }])).to.deep.equal([
      { table: 'objects', key: Buffer.from(key('a')), value, version: 5 },
      { table: 'objects', key: Buffer.from(key('b')) },
    ]);
  });

  it('are made in stretches, between which the event loop takes its turns', async () => {
    const large = Buffer.alloc(4000, 'v');
    const changes = Array.from({ length: 5000 }, (_, i) => put(`n${i}`, i + 1, { value: large }));
    const seen: number[] = [];
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const batch: Batch = {
      commitId: 'many',
      changes,
      get counters() {
        seen.push(turns);
        return new Map();
      },
    };
    setImmediate(count);
    await planAppend(0, batch, { end: 5000, at: 1 });
    isOver = true;
    expect(seen.length).to.be.greaterThan(0);
    expect(turns, 'while the log is encoded').to.be.greaterThan(0);
  });
});
