import { expect } from 'chai';
import { useOwnDatabase } from '../../testing/mongodb.js';
import { dropRows, moveHeads, noteStored } from './upgrade.js';

const HEADS = { _id: { $in: ['log', 'compaction'] } };

describe('a database of an earlier version', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');

  const collection = (name: string) => own().db.collection<{ _id: string; format?: number; changes?: number[] }>(name);
  const format = async (): Promise<number | undefined> => (await collection('log').findOne({ _id: 'domain' }))?.format;
  const log = () => collection('changes').findOne({ _id: 'log' });

  it('of which all servers have stopped loses what only they need', async () => {
    for (const former of [2, 3]) {
      await collection('log').updateOne({ _id: 'domain' }, { $set: { format: former } });
      await collection('changes').updateOne({ _id: 'log' }, { $set: { changes: [1], indexed: [] } });
      await collection('notes.x:rows').insertOne({ _id: 'a' });
      await dropRows(own().database, own().name);
      expect(await format()).to.equal(4);
      expect(await log())
        .to.include({ revision: 0 })
        .and.not.have.any.keys('changes', 'indexed');
      expect(await own().database.collections()).to.not.include('notes.x:rows');
    }
  });

  it('of which a server runs stays as it is, and is refused', async () => {
    await collection('log').updateOne({ _id: 'domain' }, { $set: { format: 3 } });
    const servers = own().db.collection<{ _id: string }>('servers');
    await servers.updateOne({ _id: 'former' }, { $currentDate: { heartbeat: true } }, { upsert: true });
    const failure = await dropRows(own().database, own().name).catch((error: Error) => error.message);
    expect(failure).to.include('A server uses the database');
    expect(await format()).to.equal(3);
    // It is one of this version, which was faster.
    await collection('log').updateOne({ _id: 'domain' }, { $set: { format: 4 } });
    await dropRows(own().database, own().name);
    expect(await format()).to.equal(4);
  });

  it('in which commits wrote the objects, too, notes that these are at the end of the log', async () => {
    await collection('log').updateOne({ _id: 'domain' }, { $set: { format: 4 } });
    await own()
      .db.collection<{ _id: string }>('changes')
      .updateOne({ _id: 'log' }, { $set: { revision: 7 } });
    await collection('changes').deleteOne({ _id: 'objects' });
    for (let i = 0; i < 2; i++) await noteStored(own().database, own().name);
    expect(await format()).to.equal(5);
    expect(await collection('changes').findOne({ _id: 'objects' })).to.include({ revision: 7 });
  });

  it('in which commits wrote the objects, too, stays as it is while a server runs', async () => {
    await collection('log').updateOne({ _id: 'domain' }, { $set: { format: 4 } });
    const servers = own().db.collection<{ _id: string }>('servers');
    await servers.updateOne({ _id: 'former' }, { $currentDate: { heartbeat: true } }, { upsert: true });
    const failure = await noteStored(own().database, own().name).catch((error: Error) => error.message);
    expect([await format(), failure]).to.deep.equal([4, failure]);
    expect(failure).to.include('A server uses the database');
    await servers.deleteMany({});
  });

  it('is moved as a whole or not at all', async () => {
    await own().db.collection('servers').deleteMany({});
    const heads = await collection('changes').find(HEADS).toArray();
    await collection('changes').deleteMany(HEADS);
    await collection('log').insertMany(heads);
    await collection('log').updateOne({ _id: 'domain' }, { $set: { format: 1 } });
    const left = async () => [
      await format(),
      await collection('log').countDocuments(HEADS),
      await collection('changes').countDocuments(HEADS),
    ];
    const cutOff = await own().connect();
    const moved = cutOff.heads;
    let inserts = 0;
    const insertOne: typeof moved.insertOne = async (...of) => {
      if (++inserts === 2) throw new Error('cut off');
      return moved.insertOne(...of);
    };
    Object.defineProperty(cutOff, 'heads', { value: { insertOne } });
    expect(await moveHeads(cutOff, own().name).catch((error: Error) => error.message)).to.equal('cut off');
    expect(await left()).to.deep.equal([1, 2, 0]);
    await moveHeads(own().database, own().name);
    expect(await left()).to.deep.equal([3, 0, 2]);
    expect(await collection('changes').find(HEADS).toArray()).to.have.deep.members(heads);
  });
});
