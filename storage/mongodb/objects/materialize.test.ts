import { expect } from 'chai';
import type { CommandStartedEvent } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { dumpOf, restoreDump } from '../../../hack/mongod/dump.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { LogEnd } from '../../log/log-end.js';
import { key, loadAll, RESOURCE, write } from '../../testing/backend/fixture.js';
import { useOwnDatabase } from '../../testing/mongodb.js';
import { materialize } from './materialize.js';

describe('carrying the log into the objects of MongoDB', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');
  const objects = () => own().db.collection<{ _id: string; revision: number }>(RESOURCE);
  const revisions = async () => (await objects().find().sort({ _id: 1 }).toArray()).map(({ revision }) => revision);

  it('does not read again what this server has committed', async () => {
    let reads = 0;
    const onCommand = ({ command }: CommandStartedEvent): void => {
      if (command['find'] === 'changes' && command['filter']._id?.$gt !== undefined) reads++;
    };
    const server = await own().open(onCommand);
    const other = await own().open(onCommand);
    for (const name of ['a', 'b', 'a']) await write(server, [{ key: key(name), value: name }]);
    reads = 0;
    expect(await server.materialize?.()).to.equal(3);
    expect([reads, await revisions()]).to.deep.equal([0, [3, 2]]);
    await write(server, [{ key: key('c'), value: 'c' }]);
    reads = 0;
    expect(await other.materialize?.()).to.equal(4);
    expect([reads, await revisions()]).to.deep.equal([1, [3, 2, 4]]);
  });

  it('puts right what somebody has changed by hand', async () => {
    const server = await own().open();
    for (const name of ['a', 'b']) await write(server, [{ key: key(name), value: name }]);
    await objects().insertOne({ _id: key('b'), revision: 1 });
    expect(await server.materialize?.()).to.equal(2);
    expect(await revisions()).to.deep.equal([1, 2]);
    await objects().deleteOne({ _id: key('a') });
    await write(server, [{ key: key('a'), value: 'again' }]);
    await server.materialize?.();
    expect((await loadAll(server)).map(({ revision }) => revision)).to.deep.equal([3, 2]);
  });

  it('writes nothing of a log that was replaced by a longer one', async () => {
    const server = await own().open();
    for (const name of ['a', 'b']) await write(server, [{ key: key(name), value: name }]);
    const dump = await dumpOf(own().db);
    for (const name of ['lost-1', 'lost-2']) await write(server, [{ key: key(name), value: name }]);
    await restoreDump(own().db, dump);
    const other = await own().open();
    for (const name of ['c', 'd', 'e']) await write(other, [{ key: key(name), value: name }]);
    await server.materialize?.();
    await other.materialize?.();
    expect((await objects().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).to.deep.equal(
      ['a', 'b', 'c', 'd', 'e'].map((name) => key(name)),
    );
  });

  it('is done by one of several servers at a time', async () => {
    const servers = [await own().open(), await own().open(), await own().open()];
    for (let i = 0; i < 20; i++) {
      const [server] = servers;
      if (server !== undefined) await write(server, [{ key: key(`n${i % 3}`), value: `${i}` }]);
      await Promise.all(servers.map((one) => one.materialize?.()));
    }
    expect(await revisions()).to.deep.equal([19, 20, 18]);
  });

  it('writes nothing old if the server stops before it writes, and others go on', async () => {
    const server = await own().open();
    await write(server, [
      { key: key('a'), value: '1' },
      { key: key('b'), value: '1' },
    ]);
    const late = await own().connect();
    const { ensure } = late;
    late.ensure = async (names) => {
      await write(server, [{ key: key('a'), value: '2' }, { key: key('b') }]);
      await server.materialize?.();
      await ensure.call(late, names);
    };
    const { signal } = new AbortController();
    const source = { database: late, known: new LogEnd(), recent: { after: () => undefined }, signal };
    expect(await materialize(source)).to.equal(4);
    expect(await revisions()).to.deep.equal([3]);
  });

  it('has nothing to do while the database is being restored', async () => {
    const server = await own().open();
    await write(server, [{ key: key('a'), value: 'a' }]);
    const stop = new AbortController();
    const waiting = server.whenComplete?.(stop.signal);
    expect(await server.materialize?.()).to.equal(0);
    expect(await revisions()).to.deep.equal([]);
    stop.abort();
    await waiting;
    expect(await server.materialize?.()).to.equal(1);
  });
});
