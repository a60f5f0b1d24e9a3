import { expect } from 'chai';
import { type CommandStartedEvent, type Document, MongoServerError } from 'mongodb';
import type { Batch, Put, Revision } from '../backend.js';
import { keyOf } from '../key.js';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import type { Database } from './database.js';
import type { ChangeDocument } from './documents.js';
import { stage, unstage } from './staged.js';

const { key } = created(1, 'a');
const batchOf = (changes: readonly Put[]): Batch => ({ commit: 'c', changes, counters: new Map() });
const text = (value: string): Uint8Array => Buffer.from(value);
const replaced = (revision: Revision, previous: Revision): Put =>
  created(revision, 'a', {
    value: text(`new ${revision}`),
    previous: { key, revision: previous, value: text(`old ${previous}`) },
  });
const document = (_id: Revision, more: Partial<ChangeDocument>): ChangeDocument => ({
  ...{ _id, end: _id, commit: 'c', at: new Date(0), key },
  ...more,
});

describe('the staged values of a large commit', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let database: Database;
  /** How many values each write of staged values had, and how many ids each read. */
  const written: number[] = [];
  const read: number[] = [];
  /** The read concern of each. */
  const concerns: unknown[] = [];

  beforeEach(async function () {
    own = await ownDatabase(this);
    const onCommand = ({ command }: CommandStartedEvent): void => {
      if (command['update'] === 'staged') written.push(command['updates'].length);
      if (command['find'] !== 'staged') return;
      read.push(command['filter']._id.$in.length);
      concerns.push(command['readConcern']);
    };
    database = await own.connect({ onCommand });
    written.length = 0;
    read.length = 0;
    concerns.length = 0;
  });
  afterEach(() => own.close());

  const stored = () => own.db.collection('staged').find().sort({ _id: 1 }).toArray();

  it('are the new ones, and the previous ones that are older than the commit', async () => {
    const deleted: Put = {
      key: keyOf('x', '', 'b'),
      revision: 9,
      previous: { key: keyOf('x', '', 'b'), revision: 5, value: text('b') },
    };
    await stage(database, 6, batchOf([replaced(7, 6), replaced(8, 7), deleted, created(10)]));
    expect(await stored()).to.deep.equal([
      { _id: 'c@10', body: '{}', change: 10 },
      { _id: 'c@7', body: 'new 7', change: 7 },
      { _id: 'c@8', body: 'new 8', change: 8 },
      { _id: `${key}@6`, body: 'old 6', change: 7 },
      { _id: 'x//b@5', body: 'b', change: 9 },
    ]);
  });

  it('are kept for the last commit that refers to them', async () => {
    for (const revision of [8, 10, 9]) await stage(database, 7, batchOf([{ ...replaced(revision, 6), revision }]));
    const previous = (await stored()).find(({ _id }) => String(_id) === `${key}@6`);
    expect(previous).to.include({ change: 10, body: 'old 6' });
  });

  it('are written in chunks of a mebibyte, or of some hundred', async () => {
    await stage(database, 0, batchOf(Array.from({ length: 1001 }, (_, i) => created(i + 1))));
    expect(written).to.deep.equal([500, 500, 1]);
    written.length = 0;
    const value = Buffer.alloc(512 * 1024, 'x');
    const large = [1, 2, 3, 4].map((revision) => created(revision, `l${revision}`, { value }));
    await stage(database, 0, batchOf([...large, created(5)]));
    expect(written).to.deep.equal([2, 2, 1]);
    written.length = 0;
    await stage(database, 0, batchOf(large));
    expect(written).to.deep.equal([2, 2]);
  });

  it('are written again if another server stages the same at once, and not after another failure', async () => {
    for (const [code, tries] of [
      [11000, 2],
      [13, 1],
    ] as const) {
      let count = 0;
      const bulkWrite = async (): Promise<void> => {
        if (++count === 1) throw new MongoServerError({ message: 'failed', code });
      };
      const staging = stage({ staged: { bulkWrite } } as never, 0, batchOf([created(1)]));
      const failure = await staging.catch((error: unknown) => error);
      expect(failure === undefined).to.equal(code === 11000);
      expect(count).to.equal(tries);
    }
  });

  it('are all written, also if another server stages several of them at once', async () => {
    const ofOther = new Set<string>();
    /** The first write of each value fails, because the other server was faster. */
    const bulkWrite = async (operations: readonly Document[], { ordered = true } = {}): Promise<void> => {
      const failed = operations.map(({ updateOne }) => updateOne.filter._id).filter((id) => !ofOther.has(id));
      for (const id of ordered ? failed.slice(0, 1) : failed) ofOther.add(id);
      if (failed.length > 0) throw new MongoServerError({ message: 'duplicate key', code: 11000 });
    };
    await stage({ staged: { bulkWrite } } as never, 0, batchOf([created(1), created(2)]));
    expect([...ofOther]).to.deep.equal(['c@1', 'c@2']);
  });

  it('are read no earlier than what this server has read before', async () => {
    await stage(database, 0, batchOf([created(1)]));
    for (let i = 0; i < 2; i++) await unstage(database, [document(1, { staged: 'c@1' })]);
    expect(concerns[1]).to.have.property('afterClusterTime');
  });

  it('are read for the changes that have no values of their own', async () => {
    await stage(database, 6, batchOf([replaced(7, 6)]));
    const own = { staged: 'c@7', previous: { revision: 6 } };
    const whole = { body: '{}', previous: { revision: 6, body: '{}' } };
    const found = await unstage(database, [document(7, own), document(8, whole), document(9, {})]);
    expect(found).to.deep.equal(
      new Map([
        ['c@7', 'new 7'],
        [`${key}@6`, 'old 6'],
      ]),
    );
    expect(read).to.deep.equal([2]);
    expect(await unstage(database, [document(8, whole), document(9, {})])).to.deep.equal(new Map());
    expect(read).to.deep.equal([2]);
  });

  it('are read in chunks, each once, however often they are referred to', async () => {
    await stage(database, 0, batchOf(Array.from({ length: 1000 }, (_, i) => created(i + 1))));
    const documents = Array.from({ length: 1000 }, (_, i) => document(i + 1, { staged: `c@${i + 1}` }));
    const found = await unstage(database, documents);
    expect([...(found ?? [])]).to.have.length(1000);
    expect(read).to.deep.equal([500, 500]);
    expect((await unstage(database, [documents[0]!, documents[0]!]))?.size).to.equal(1);
  });

  it('are unknown if one of them was removed', async () => {
    await stage(database, 6, batchOf([replaced(7, 6)]));
    const documents = [document(7, { staged: 'c@7', previous: { revision: 6 } })];
    await own.db.collection<{ _id: string }>('staged').deleteOne({ _id: 'c@7' });
    expect(await unstage(database, documents)).to.equal(undefined);
  });

  it('are read in a snapshot as they were when it began', async () => {
    await stage(database, 6, batchOf([replaced(7, 6)]));
    const documents = [document(7, { staged: 'c@7', previous: { revision: 6 } })];
    const session = database.client.startSession({ snapshot: true });
    await database.log.findOne({ _id: 'log' }, { session, readConcern: { level: 'snapshot' } });
    await own.db.collection('staged').deleteMany({});
    expect((await unstage(database, documents, session))?.size).to.equal(2);
    expect(await unstage(database, documents)).to.equal(undefined);
    await session.endSession();
  });
});
