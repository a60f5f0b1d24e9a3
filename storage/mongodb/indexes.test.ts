import { expect } from 'chai';
import type { Timestamp } from 'mongodb';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { resourcesOf } from './collections.js';
import { compact, compacted, revisionBefore } from './compact.js';
import type { Database } from './database.js';
import { objectDocument } from './documents.js';
import { makeIndexes } from './indexes.js';

const RESOURCE = 'notes.tests.svc.app';
const rows = [
  { index: 'byTag', tuple: 'sa!', counted: 'sa!' },
  { index: 'byTag', tuple: 'sb!' },
];

describe('the resources of a database', () => {
  const of = (...names: readonly string[]) => resourcesOf({ collections: async () => names } as never);

  it('are its collections, without those of the adapter and of MongoDB', async () => {
    expect(
      await of('log', 'notes.x', 'changes', 'notes.x:rows', 'staged', 'notes.x:counts', 'servers', 'system.views'),
    ).to.deep.equal(['notes.x']);
  });

  it('are in the order of the keys of their objects', async () => {
    expect(await of('b', 'a', 'a.b', 'a-b', '\uffff', '\u{1f600}')).to.deep.equal([
      'a-b',
      'a.b',
      'a',
      'b',
      '\uffff',
      '\u{1f600}',
    ]);
  });
});

describe('the rows and counts of a database', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  beforeEach(async function () {
    own = await ownDatabase(this);
  });
  afterEach(() => own.close());

  const put = async (...objects: readonly ReturnType<typeof created>[]): Promise<void> => {
    const documents = objects.map((one) => objectDocument(one, '{}'));
    await own.db.collection<{ _id: string }>(RESOURCE).insertMany(documents);
  };
  const documents = (part: string) => own.db.collection(`${RESOURCE}:${part}`).find().sort({ _id: 1 }).toArray();
  const names = async (): Promise<readonly string[]> =>
    (await own.database.collections()).filter((name) => name.startsWith(RESOURCE)).sort();

  it('are made of what the objects say', async () => {
    const [a, b] = [created(1, 'a', { rows }), created(2, 'b', { rows: rows.slice(0, 1) })];
    await put(a, b, created(3, 'c'));
    expect(await makeIndexes(own.database, RESOURCE)).to.equal(true);
    expect(await documents('rows')).to.deep.equal([
      { _id: `byTag sa! ${a.key}`, key: a.key },
      { _id: `byTag sa! ${b.key}`, key: b.key },
      { _id: `byTag sb! ${a.key}`, key: a.key },
    ]);
    expect(await documents('counts')).to.deep.equal([{ _id: 'byTag sa!', count: 2 }]);
  });

  it('are removed if no object has any', async () => {
    await put(created(1, 'a'));
    await own.db.collection(`${RESOURCE}:rows`).insertOne({ key: 'old' });
    await own.db.collection(`${RESOURCE}:counts`).insertOne({ count: 1 });
    expect(await makeIndexes(own.database, RESOURCE)).to.equal(false);
    expect(await names()).to.deep.equal([RESOURCE]);
    expect(await makeIndexes(own.database, RESOURCE)).to.equal(false);
    expect(await names()).to.deep.equal([RESOURCE]);
  });

  it('are only rows, if nothing is counted', async () => {
    await put(created(1, 'a', { rows: rows.slice(1) }));
    expect(await makeIndexes(own.database, RESOURCE)).to.equal(true);
    expect(await names()).to.deep.equal([RESOURCE, `${RESOURCE}:rows`]);
  });
});

/** What reads of this server see at least. */
function startOf(database: Database): Timestamp | undefined {
  const session = database.startReading();
  void session.endSession();
  return session.operationTime;
}

describe('the compaction of a database', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  beforeEach(async function () {
    own = await ownDatabase(this);
  });
  afterEach(() => own.close());

  /** Changes of the log, each so many minutes old, and a staged value of each. */
  async function log(...ages: readonly number[]): Promise<void> {
    const changes = ages.map((age, i) => ({ _id: i + 1, end: i + 1, at: new Date(Date.now() - age * 60_000) }));
    await own.db.collection<{ _id: number }>('changes').insertMany(changes);
    await own.db
      .collection<{ _id: string }>('staged')
      .insertMany(changes.map(({ _id }) => ({ _id: `c@${_id}`, body: '{}', change: _id })));
  }
  const left = async (name: string): Promise<number> =>
    own.db
      .collection<{ _id: string | number }>(name)
      .countDocuments({ _id: { $nin: ['log', 'compaction', 'another'] } });

  it('removes changes and staged values up to the point, also many, and tells it', async () => {
    await log(...Array.from({ length: 2105 }, () => 0));
    expect(await compacted(own.database)).to.equal(0);
    await compact(own.database, 2101, 2105);
    expect([await left('changes'), await left('staged'), await compacted(own.database)]).to.deep.equal([4, 4, 2101]);
    await compact(own.database, 3, 2105);
    expect([await left('changes'), await left('staged'), await compacted(own.database)]).to.deep.equal([4, 4, 2101]);
  });

  it('removes also one change, and is seen by all reads that begin after it', async () => {
    await log(0, 0);
    for (const work of [(database: Database) => compact(database, 1, 2), compacted]) {
      const database = await own.connect();
      expect(startOf(database)).to.equal(undefined);
      await work(database);
      expect(startOf(database)).not.to.equal(undefined);
      expect([await left('changes'), await left('staged')]).to.deep.equal([1, 1]);
    }
  });

  it('goes to the end of the log at most, and can begin in an empty log', async () => {
    await compact(own.database, 3, 0);
    expect(await compacted(own.database)).to.equal(0);
    await log(0, 0);
    await compact(own.database, 9, 2);
    expect([await left('changes'), await left('staged'), await compacted(own.database)]).to.deep.equal([0, 0, 2]);
  });

  it('finds the last change before a time', async () => {
    expect(await revisionBefore(own.database, 0)).to.equal(0);
    await log(9, 8, 7, 6, 5, 4, 3, 2, 1);
    const minutes = (age: number) => revisionBefore(own.database, age * 60_000);
    expect(await minutes(10)).to.equal(0);
    for (let age = 1; age < 9; age++) expect(await minutes(age + 0.5)).to.equal(9 - age);
    expect(await minutes(0.5)).to.equal(9);
  });
});
