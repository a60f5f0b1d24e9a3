import { expect } from 'chai';
import { created, useOwnDatabase } from '../testing/mongodb.js';
import { openMongodbReceiver } from './transfer/receiver.js';
import { openMongodbSnapshot } from './transfer/snapshot.js';

describe('a log of MongoDB that is not complete', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');

  const changes = () => own().db.collection<{ _id: number }>('changes');

  /** What reading it for a backup ends with. */
  async function backedUp(): Promise<string> {
    const snapshot = await openMongodbSnapshot({ uri: own().uri, database: own().name }).catch(String);
    if (typeof snapshot === 'string') return snapshot;
    try {
      let count = 0;
      for await (const commits of snapshot.commits(0)) count += commits.length;
      return `${count} commits`;
    } catch (error) {
      return String(error);
    } finally {
      await snapshot.close();
    }
  }

  it('is refused by a backup, which names the first change that is missing', async () => {
    const server = await own().open();
    for (const revision of [1, 2, 3]) {
      await server.append(revision - 1, {
        commitId: `c${revision}`,
        changes: [created(revision)],
        counters: new Map(),
      });
    }
    expect(await backedUp()).to.equal('3 commits');
    // The document of the log has the last commit, too.
    await changes().deleteOne({ _id: 3 });
    expect(await backedUp()).to.equal('3 commits');
    await changes().deleteOne({ _id: 2 });
    expect(await backedUp()).to.match(/The log is damaged: change 2 is missing\.$/);
    await changes().deleteOne({ _id: 1 });
    expect(await backedUp()).to.match(/The log is damaged: change 1 is missing\.$/);
  });

  it('is refused by a backup if there is none', async () => {
    await own().db.collection<{ _id: string }>('changes').deleteOne({ _id: 'log' });
    const error = await backedUp().catch((reason: unknown) => String(reason));
    expect(error).to.match(/The database has no log\.$/);
  });

  it('is refused by a backup if a value is missing', async () => {
    const server = await own().open();
    const value = Buffer.from(JSON.stringify('x'.repeat(1.5 * 1024 * 1024)));
    const large = [2, 3, 4].map((revision) => created(revision, `n${revision}`, { value }));
    await server.append(0, { commitId: 'c1', changes: [created(1)], counters: new Map() });
    await server.append(1, { commitId: 'c2', changes: large, counters: new Map() });
    expect(await backedUp()).to.equal('2 commits');
    await own().db.collection<{ _id: string }>('staged').deleteOne({ _id: 'c2/0' });
    expect(await backedUp()).to.match(/The log is damaged: change 2 is missing\.$/);
  });

  it('is continued behind its last whole commit when the database is filled', async () => {
    const options = { domain: 'svc.app', origin: 'o', replaces: true };
    const receiver = await openMongodbReceiver({ uri: own().uri, database: own().name }, options);
    const document = (_id: number, end: number) => ({ _id, end, commit: `c${end}`, at: new Date(0) });
    await changes().deleteMany({ _id: { $gte: 0 } });
    await changes().insertMany([document(1, 2), document(2, 2), document(3, 5), document(4, 5)]);
    expect(await receiver.logged(0)).to.equal(2);
    expect(await changes().countDocuments({ _id: { $gte: 0 } })).to.equal(2);
    expect(await receiver.logged(0)).to.equal(2);
    await changes().insertMany([document(3, 5)]);
    expect(await receiver.logged(2)).to.equal(2);
    expect(await changes().countDocuments({ _id: { $gte: 0 } })).to.equal(0);
    await receiver.close();
  });
});
