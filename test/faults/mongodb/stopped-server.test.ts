import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { freshDatabase, sharedMongodb } from '../../../hack/mongod/shared.js';
import type { Backend } from '../../../storage/backend.js';
import { openMongodb } from '../../../storage/mongodb/open.js';
import { expectCode, key, loadAll, write } from '../../../storage/testing/backend/fixture.js';
import { Ledger } from './ledger.js';

describe('a server on MongoDB that stops for a while', function () {
  this.timeout(60_000);
  let uri: string;
  let database: string;
  let stopped: Backend;
  let other: Backend;

  beforeEach(async function () {
    uri = await sharedMongodb(this);
    database = freshDatabase();
    stopped = await openMongodb({ uri, database, domain: 'svc.app' });
    other = await openMongodb({ uri, database, domain: 'svc.app' });
  });
  afterEach(async () => {
    await Promise.all([stopped.close(), other.close()]);
  });

  it('between its last look and its append cannot append, although others have written, and compacted past it', async () => {
    for (const isCompacted of [false, true]) {
      const after = await write(stopped, [{ key: key('a'), value: '1' }]);
      const parent = await stopped.commitAt(after);
      const end = await write(other, [
        { key: key('b'), value: '2' },
        { key: key('b'), value: '3' },
      ]);
      if (isCompacted) await other.compact(end);
      const change = { key: key('late'), revision: after + 1, value: Buffer.from('{}') };
      const batch = { commitId: `late-${isCompacted}`, changes: [change], counters: new Map<string, number>() };
      for (const more of [{}, parent === undefined ? {} : { parent }]) {
        await expectCode(stopped.append(after, { ...batch, ...more }), 'behind');
      }
      expect(await other.end()).to.equal(end);
      expect((await loadAll(other)).map((stored) => stored.key)).to.not.include(key('late'));
    }
  });

  it('in the middle of carrying the log into the objects holds up no append, and nothing is carried twice', async () => {
    const ledger = new Ledger(other);
    expect(await ledger.append()).to.equal('acknowledged');
    const client = new MongoClient(uri);
    const session = client.startSession();
    const heads = client.db(database).collection<{ _id: string }>('changes');
    session.startTransaction({ writeConcern: { w: 'majority' } });
    await heads.updateOne({ _id: 'objects' }, { $set: { revision: 2 } }, { session });
    for (let i = 0; i < 5; i++) expect(await ledger.append()).to.equal('acknowledged');
    expect(await other.materialize?.()).to.equal(0);
    console.log(`      beside an open transaction: ${await ledger.check(other)}`);
    await session.abortTransaction();
    expect(await other.materialize?.()).to.equal(await other.end());
    await ledger.check(other);
    await session.endSession();
    await client.close();
  });
});
