import { expect } from 'chai';
import { created, useOwnDatabase } from '../../testing/mongodb.js';
import { all, failureOf } from '../../testing/transfer/fixture.js';
import { openMongodbSnapshot } from './snapshot.js';

describe('a snapshot of MongoDB', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('suite');

  it('gives nothing once it is closed', async () => {
    const server = await own().open();
    await server.append(0, { commitId: 'c', changes: [created(1)], counters: new Map() });
    await server.materialize?.();
    const snapshot = await openMongodbSnapshot({ uri: own().uri, database: own().name });
    expect([(await all(snapshot.objects())).length, (await all(snapshot.commits(0))).length]).to.deep.equal([1, 1]);
    await snapshot.close();
    for (const read of [() => snapshot.objects(), () => snapshot.commits(0)]) {
      expect(await failureOf(all<unknown>(read()))).to.include('MongoDB is unavailable: ');
    }
  });
});
