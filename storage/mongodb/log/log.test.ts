import { expect } from 'chai';
import { key, write } from '../../testing/backend/fixture.js';
import { useOwnDatabase } from '../../testing/mongodb.js';
import { readLog } from './log.js';

describe('a part of the log of MongoDB', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');

  it('is whole, also if its last commit gets its document while it is read, and another one follows', async () => {
    const server = await own().open();
    for (const name of ['a', 'b']) await write(server, [{ key: key(name), value: name }]);
    const documents = own().db.collection<{ _id: number }>('changes');
    const last = await documents.findOneAndDelete({ _id: 2 });
    const database = await own().connect();
    const { logHead } = database;
    Object.defineProperty(database, 'logHead', {
      get: () => ({
        findOne: async (...of: Parameters<typeof logHead.findOne>) => {
          if (last !== null) await documents.insertOne(last);
          await write(server, [{ key: key('c'), value: 'c' }]);
          return logHead.findOne(...of);
        },
      }),
    });
    const session = database.startReading();
    const found: number[] = [];
    for await (const { end } of readLog(database, { after: 0, through: 2 }, { session })) found.push(end);
    await session.endSession();
    expect(found).to.deep.equal([1, 2]);
  });
});
