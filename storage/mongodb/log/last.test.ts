import { expect } from 'chai';
import type { Backend } from '../../backend.js';
import { key, loadAll, plainCommit, read, write } from '../../testing/backend/fixture.js';
import { useOwnDatabase } from '../../testing/mongodb.js';
import { all } from '../../testing/transfer/fixture.js';
import { openMongodbSnapshot } from '../transfer/snapshot.js';

const MIB = 1024 * 1024;

/**
 * The database has stopped between the two documents of a commit: the end of the log has moved, and its commit has no
 * document.
 */
describe('a commit of which MongoDB has written the end of the log alone', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');
  const documents = () =>
    own()
      .db.collection<{ _id: number }>('changes')
      .find({ _id: { $gte: 0 } })
      .sort({ _id: 1 })
      .toArray();

  async function stopIn(server: Backend, value = 'last'): Promise<void> {
    await write(server, [{ key: key('a'), value: 'first' }]);
    await write(server, [{ key: key('b'), value }, { key: key('a') }]);
    await own().db.collection<{ _id: number }>('changes').deleteOne({ _id: 3 });
  }

  for (const [size, value] of [
    ['small', 'last'],
    ['large', 'x'.repeat(2 * MIB)],
  ] as const) {
    it(`is in all that is read (${size})`, async () => {
      await stopIn(await own().open(), value);
      const server = await own().open();
      expect(await server.end()).to.equal(3);
      const commits = await read(server, 0, 3);
      expect(commits.map(({ end, changes }) => [end, changes.length])).to.deep.equal([
        [1, 1],
        [3, 2],
      ]);
      expect((await loadAll(server)).map((stored) => stored.key)).to.deep.equal([key('b')]);
      expect((await server.get([key('a'), key('b')])).size).to.equal(1);
      expect(await server.commitAt(1)).to.equal(commits[0]?.id);
      expect(await server.commitAt(3)).to.equal(commits[1]?.id);
      const snapshot = await openMongodbSnapshot({ uri: own().uri, database: own().name });
      expect((await all(snapshot.commits(0))).flat().map(({ end }) => end)).to.deep.equal([1, 3]);
      expect((await all(snapshot.objects())).flat().map((stored) => stored.key)).to.deep.equal([key('b')]);
      await snapshot.close();
    });

    it(`is read by those who know only the revision before it (${size})`, async () => {
      await stopIn(await own().open(), value);
      const commits = await read(await own().open(), 1, 3);
      expect(commits.map(({ end }) => end)).to.deep.equal([3]);
    });

    it(`gets its document before the next commit, of any server (${size})`, async () => {
      await stopIn(await own().open(), value);
      const server = await own().open();
      const before = (await read(server, 0, 3)).map(plainCommit);
      await write(server, [{ key: key('c'), value: 'next' }]);
      expect((await documents()).map(({ _id }) => _id)).to.deep.equal([1, 3, 4]);
      expect((await read(server, 0, 4)).map(plainCommit).slice(0, 2)).to.deep.equal(before);
    });
  }

  it('keeps the name of the commit that it continues when a commit without changes follows', async () => {
    const server = await own().open();
    await stopIn(server);
    const parent = await server.commitAt(3);
    await server.append(3, { commitId: 'empty', parent, changes: [], counters: new Map([['x', 1]]) });
    const log = await own().db.collection<{ _id: string }>('changes').findOne({ _id: 'log' });
    expect(log).to.include({ commit: parent, parent: await server.commitAt(1), revision: 3 });
  });

  it('is carried into the objects, and compacted', async () => {
    const server = await own().open();
    await stopIn(server);
    expect(await server.materialize?.()).to.equal(3);
    expect(
      (await own().db.collection('folders.folder.svc.app').find().toArray()).map(({ _id }) => String(_id)),
    ).to.deep.equal([key('b')]);
    await server.compact(3);
    await write(server, [{ key: key('c'), value: 'next' }]);
    // A compacted commit needs no document.
    expect((await documents()).map(({ _id }) => _id)).to.deep.equal([4]);
  });
});
