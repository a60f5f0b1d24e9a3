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
  /** The tables that an append writes to, in their order. */
  const tablesOf = async (after: number, changes: readonly Put[]) => {
    const operations = await planAppend(after, batchOf(changes), { end: after + changes.length, at: 1 });
    return operations.map(({ table, value }) => `${value === undefined ? '-' : '+'}${table}`);
  };

  it('are the object and the log, and the end as the last', async () => {
    const operations = await planAppend(4, batchOf([put('a', 5)], { teams: 3 }), { end: 5, at: 99, commit: 'c' });
    expect(operations.map(({ table }) => table)).to.deep.equal(['objects', 'log', 'counters', 'meta']);
    expect(operations[0]).to.deep.equal({ table: 'objects', key: Buffer.from(key('a')), value, version: 5 });
    expect(operations.at(-1)).to.deep.equal({
      table: 'meta',
      key: META.end,
      value: { end: 5, at: 99, commit: 'c' },
      version: versionOf(5),
    });
  });

  it('write only what a batch leaves of an object', async () => {
    const [first, second] = [put('a', 1), put('a', 2, { previous: { key: key('a'), revision: 1, value } })];
    expect(await tablesOf(0, [first, second])).to.deep.equal(['+objects', '+log', '+meta']);
    expect(await tablesOf(0, [first, { key: key('a'), revision: 2 }])).to.deep.equal(['-objects', '+log', '+meta']);
    expect(planObjects([put('plain', 3)]).map(({ table }) => table)).to.deep.equal(['objects']);
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
      commit: 'many',
      changes,
      get counters() {
        seen.push(turns);
        return new Map();
      },
    };
    setImmediate(count);
    await planAppend(0, batch, { end: 5000, at: 1 });
    isOver = true;
    const [atLog = 0, atEnd = 0] = [seen[0], seen.at(-1)];
    expect(atLog, 'while the objects are planned').to.be.greaterThan(0);
    expect(atEnd, 'while the log is written').to.be.greaterThan(atLog);
  });
});
