import { expect } from 'chai';
import type { Batch, Put } from '../backend.js';
import { keyOf } from '../key.js';
import { batchOf, key, RESOURCE, write } from '../testing/backend/fixture.js';
import { tagged } from '../testing/transfer/fixture.js';
import { planAppend, planObjects } from './plan.js';
import { RowOwners } from './row-owners.js';
import { META, type Tables, versionOf } from './tables.js';
import { eachFolder, withStore, withTables } from './testing/folder.js';

const value = Buffer.from('{}');
const put = (name: string, revision: number, more: Partial<Put> = {}): Put => ({
  key: key(name),
  revision,
  value,
  ...more,
});

describe('lmdb: the operations of a commit', () => {
  const folder = eachFolder();

  /** The tables that an append writes to, in their order. */
  const tablesOf = async (tables: Tables, after: number, changes: readonly Put[], owners = new RowOwners(tables)) => {
    const operations = await planAppend(tables, owners, after, batchOf(changes), 1);
    return operations.map(({ table, value }) => `${value === undefined ? '-' : '+'}${table}`);
  };
  beforeEach(() => withStore(folder(), async () => undefined));

  it('are the object and the log, and the end as the last', async () => {
    await withTables(folder(), async (tables) => {
      const operations = await planAppend(tables, new RowOwners(tables), 4, batchOf([put('a', 5)], { teams: 3 }), 99);
      expect(operations.map(({ table }) => table)).to.deep.equal(['objects', 'log', 'counters', 'meta']);
      expect(operations[0]).to.deep.equal({ table: 'objects', key: Buffer.from(key('a')), value, version: 5 });
      expect(operations.at(-1)).to.deep.equal({
        table: 'meta',
        key: META.end,
        value: { end: 5, at: 99 },
        version: versionOf(5),
      });
    });
  });

  it('write only what a batch leaves of an object, with its rows and counts', async () => {
    await withTables(folder(), async (tables) => {
      const first = put('a', 1, { rows: [tagged('x')] });
      const second = put('a', 2, { rows: [tagged('y'), tagged('z')], previous: { ...first, value } });
      expect(await tablesOf(tables, 0, [first, second])).to.deep.equal([
        '+objects',
        '+index',
        '+index',
        '+rows',
        '+counts',
        '+counts',
        '+log',
        '+meta',
      ]);
      expect(await tablesOf(tables, 0, [first, { key: key('a'), revision: 2 }])).to.deep.equal([
        '-objects',
        '+log',
        '+meta',
      ]);
    });
  });

  it('replace the rows that the store has, and leave no record of an object without rows', async () => {
    const before = { key: key('a'), value: '1', rows: [tagged('x'), tagged('y')] };
    await withStore(folder(), async (backend) => {
      await write(backend, [before, { key: key('plain'), value: '2' }]);
    });
    await withTables(folder(), async (tables) => {
      const previous = { key: key('a'), revision: 1, value };
      const removed = ['-index', '-index', '-rows', '-counts', '-counts', '+log', '+meta'];
      expect(await tablesOf(tables, 2, [put('a', 3, { previous })])).to.deep.equal(['+objects', ...removed]);
      expect(await tablesOf(tables, 2, [{ key: key('a'), revision: 3, previous }])).to.deep.equal([
        '-objects',
        ...removed,
      ]);
      const withRows = { key: key('a'), revision: 3, previous, rows: [tagged('x')] };
      expect(await tablesOf(tables, 2, [withRows]), 'what is deleted has no rows').to.deep.equal([
        '-objects',
        ...removed,
      ]);
      const [, index] = planObjects(tables, [put('a', 3, { rows: [tagged('x')] })]);
      expect(index?.table).to.equal('index');
      expect(planObjects(tables, [put('plain', 3)]).map(({ table }) => table)).to.deep.equal(['objects']);
    });
  });

  it('do not look for rows of an object that is new, or of a resource that never had any', async () => {
    const other = keyOf(`${RESOURCE}2`, 'default', 'a');
    const rows = [tagged('x')];
    await withStore(folder(), (backend) => write(backend, [{ key: key('a'), value: '1', rows }]));
    await withTables(folder(), async (tables) => {
      const owners = new RowOwners(tables);
      const previous = { key: key('a'), revision: 1, value };
      const mayHaveRows = (...changes: readonly Put[]): readonly boolean[] =>
        owners.changesOf(changes).map(([, may]) => may);
      const ofOther = (revision: number, more: Partial<Put> = {}): Put => ({ key: other, revision, value, ...more });
      expect(mayHaveRows(put('a', 2, { previous }), put('b', 3))).to.deep.equal([true, false]);
      expect(mayHaveRows(ofOther(4, { previous }), put('b', 5, { previous }))).to.deep.equal([false, true]);
      expect(mayHaveRows(ofOther(6, { rows: [] }))).to.deep.equal([false]);
      expect(mayHaveRows(ofOther(7, { previous }))).to.deep.equal([false]);
      expect(mayHaveRows(ofOther(8, { rows }))).to.deep.equal([false]);
      expect(mayHaveRows(ofOther(9, { previous }))).to.deep.equal([true]);
    });
  });

  it('are made in stretches, between which the event loop takes its turns', async () => {
    const large = Buffer.alloc(4000, 'v');
    const changes = Array.from({ length: 5000 }, (_, i) => put(`n${i}`, i + 1, { value: large, rows: [tagged('x')] }));
    await withTables(folder(), async (tables) => {
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
      await planAppend(tables, new RowOwners(tables), 0, batch, 1);
      isOver = true;
      const [atLog = 0, atEnd = 0] = [seen[0], seen.at(-1)];
      expect(atLog, 'while the objects are planned').to.be.greaterThan(0);
      expect(atEnd, 'while the log is written').to.be.greaterThan(atLog);
    });
  });
});
