import { expect } from 'chai';
import type { CommandStartedEvent } from 'mongodb';
import type { Revision } from '../../backend.js';
import { created, type OwnDatabase, ownDatabase } from '../../testing/mongodb.js';
import type { Database } from '../connection/database.js';
import type { ChangeDocument } from '../format/documents.js';
import { unstage } from './staged.js';

const { key } = created(1, 'a');
const document = (_id: Revision, more: Partial<ChangeDocument>): ChangeDocument => ({
  ...{ _id, end: _id, commit: 'c', at: new Date(0), key },
  ...more,
});

describe('the staged values of a large commit', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let database: Database;
  /** How many ids each read of staged values had. */
  const read: number[] = [];
  /** The read concern of each. */
  const concerns: unknown[] = [];

  beforeEach(async function () {
    own = await ownDatabase(this);
    const onCommand = ({ command }: CommandStartedEvent): void => {
      if (command['find'] !== 'staged') return;
      read.push(command['filter']._id.$in.length);
      concerns.push(command['readConcern']);
    };
    database = await own.connect({ onCommand });
    read.length = 0;
    concerns.length = 0;
  });
  afterEach(() => own.close());

  /** As earlier versions did. */
  const put = async (values: Readonly<Record<string, string>>): Promise<void> => {
    const documents = Object.entries(values).map(([_id, body]) => ({ _id, body, change: 1 }));
    await database.staged.insertMany(documents);
    database.reached((await database.admin({ hello: 1 }))['operationTime']);
  };

  it('are read no earlier than what this server has read before', async () => {
    await put({ 'c@1': '{}' });
    for (let i = 0; i < 2; i++) await unstage(database, [document(1, { staged: 'c@1' })]);
    expect(concerns[1]).to.have.property('afterClusterTime');
  });

  it('are read for the changes that have no values of their own', async () => {
    await put({ 'c@7': 'new 7', [`${key}@6`]: 'old 6' });
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
    await put(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`c@${i + 1}`, '{}'])));
    const documents = Array.from({ length: 1000 }, (_, i) => document(i + 1, { staged: `c@${i + 1}` }));
    const found = await unstage(database, documents);
    expect([...(found ?? [])]).to.have.length(1000);
    expect(read).to.deep.equal([500, 500]);
    expect((await unstage(database, [documents[0]!, documents[0]!]))?.size).to.equal(1);
  });

  it('are unknown if one of them was removed', async () => {
    await put({ 'c@7': 'new 7', [`${key}@6`]: 'old 6' });
    const documents = [document(7, { staged: 'c@7', previous: { revision: 6 } })];
    await own.db.collection<{ _id: string }>('staged').deleteOne({ _id: 'c@7' });
    expect(await unstage(database, documents)).to.equal(undefined);
  });

  it('are read in a snapshot as they were when it began', async () => {
    await put({ 'c@7': 'new 7', [`${key}@6`]: 'old 6' });
    const documents = [document(7, { staged: 'c@7', previous: { revision: 6 } })];
    const session = database.client.startSession({ snapshot: true });
    await database.logHead.findOne({ _id: 'log' }, { session, readConcern: { level: 'snapshot' } });
    await own.db.collection('staged').deleteMany({});
    expect((await unstage(database, documents, session))?.size).to.equal(2);
    expect(await unstage(database, documents)).to.equal(undefined);
    await session.endSession();
  });
});
