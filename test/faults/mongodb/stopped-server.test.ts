import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { freshDatabase, sharedMongodb } from '../../../hack/mongod/shared.js';
import { openMongodb } from '../../../storage/mongodb/open.js';
import { Ledger } from './ledger.js';

describe('a server that stops between the first statement and the commit', function () {
  this.timeout(60_000);

  /** Creates the state that such a server leaves: an open transaction that locks the log, and an old heartbeat. */
  async function stoppedServer(uri: string, database: string, heartbeat: Date) {
    const client = new MongoClient(uri);
    const session = client.startSession();
    const db = client.db(database);
    await db
      .collection<{ _id: string }>('servers')
      .insertOne({ _id: 'stopped', session: session.id?.id, heartbeat } as never);
    session.startTransaction({ writeConcern: { w: 'majority' } });
    await db.collection<{ _id: string }>('changes').updateOne({ _id: 'log' }, { $set: { revision: 99 } }, { session });
    return { client, session };
  }

  it('cannot commit when it continues, because other servers have ended its transaction', async function () {
    const uri = await sharedMongodb(this);
    const database = freshDatabase();
    const backend = await openMongodb({ uri, database, domain: 'svc.app' });
    const ledger = new Ledger(backend);
    expect(await ledger.append()).to.equal('acknowledged');
    const { client, session } = await stoppedServer(uri, database, new Date(Date.now() - 60_000));
    expect(await ledger.append()).to.equal('behind');
    await ledger.acknowledge();
    const late = await session.commitTransaction().then(
      () => 'committed',
      () => 'refused',
    );
    expect(late).to.equal('refused');
    console.log(`      held the log with an open transaction: ${await ledger.check(backend)}`);
    await session.endSession();
    await client.close();
    await backend.close();
  });

  it('keeps its transaction while its heartbeat is recent', async function () {
    const uri = await sharedMongodb(this);
    const database = freshDatabase();
    const backend = await openMongodb({ uri, database, domain: 'svc.app' });
    const ledger = new Ledger(backend);
    const { client, session } = await stoppedServer(uri, database, new Date(Date.now() + 3_600_000));
    const until = Date.now() + 2500;
    while (Date.now() < until) expect(await ledger.append()).to.equal('behind');
    await session.abortTransaction();
    await ledger.acknowledge();
    await session.endSession();
    await client.close();
    await backend.close();
  });
});
