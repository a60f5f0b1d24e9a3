import { expect } from 'chai';
import type { CommandStartedEvent } from 'mongodb';
import type { Stored } from '../../backend.js';
import { created, useOwnDatabase } from '../../testing/mongodb.js';
import { all, failureOf, headOf, using } from '../../testing/transfer/fixture.js';
import type { Receiver } from '../../transfer/snapshot.js';
import { openMongodbReceiver } from './receiver.js';
import { openMongodbSnapshot } from './snapshot.js';

const RESOURCE = 'notes.tests.svc.app';
const NONE: ReadonlySet<Stored['key']> = new Set();
const { key } = created(1);

function heldOf(revision: number, value: Uint8Array = Buffer.from('{}')): Stored {
  return { key: created(revision).key, revision, value };
}

describe('a MongoDB that is filled', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');

  function receive(replaces: boolean, onCommand: (event: CommandStartedEvent) => void = () => undefined) {
    const place = { uri: own().uri, database: own().name, onCommand };
    return openMongodbReceiver(place, { domain: 'svc.app', origin: 'o', replaces });
  }

  it('is refused if another program has collections there, and stays as it is', async () => {
    await own().db.dropDatabase();
    await own().db.collection<{ _id: string }>('orders').insertOne({ _id: 'one' });
    for (const replaces of [false, true]) {
      const failure = await failureOf(receive(replaces));
      expect(failure).to.match(new RegExp(`database ${own().name} has collections of another program\\. Name another`));
    }
    expect(await own().database.collections()).to.deep.equal(['orders']);
    expect(await own().db.collection('orders').countDocuments()).to.equal(1);
  });

  it('takes nothing of what was there before for its own work, if it was interrupted while it removed that', async () => {
    const server = await own().open();
    await server.append(0, { commitId: 'c', changes: [created(1)], counters: new Map() });
    await server.close();
    const onCommand = ({ commandName }: CommandStartedEvent): void => {
      if (commandName === 'drop') throw new Error('interrupted');
    };
    expect(await failureOf(receive(true, onCommand))).to.include('interrupted');
    await using(receive(false), async (receiver) => {
      expect([await all(receiver.present()), await receiver.logged(0)]).to.deep.equal([[], 0]);
    });
  });

  it('loses staged values with the changes that refer to them, and no others', async () => {
    const staged = own().db.collection<{ _id: string; change: number }>('staged');
    await using(receive(true), async (receiver) => {
      await staged.insertMany([1, 2, 3].map((change) => ({ _id: `c@${change}`, change })));
      await receiver.logged(2);
    });
    expect((await staged.find().toArray()).map(({ _id }) => _id)).to.deep.equal(['c@3']);
  });

  it('has the values of a change apart, if a document cannot have them', async () => {
    const value = Buffer.alloc(7.5 * 1024 * 1024, 'x');
    const previous = { key, revision: 1, value: Buffer.from('{"old":1}') };
    const changes = [{ key, revision: 2, value, previous }];
    await using(receive(true), async (receiver) => {
      await receiver.log([{ end: 2, changes, counters: new Map(), at: 1000 }]);
      await receiver.finish(headOf(2, { compacted: 1 }));
    });
    const place = { uri: own().uri, database: own().name };
    const [found] = await using(openMongodbSnapshot(place), (snapshot) => all(snapshot.commits(1)));
    const [change] = found?.changes ?? [];
    // A comparison of chai would print all of it.
    expect(value.equals(change?.value ?? Buffer.alloc(0))).to.equal(true);
    expect(Buffer.from(change?.previous?.value ?? []).toString()).to.equal('{"old":1}');
  });

  it('gets objects by commands that are not too large, new ones and others', async () => {
    const sent: string[] = [];
    const onCommand = ({ command, commandName }: CommandStartedEvent): void => {
      if (command[commandName] !== RESOURCE) return;
      sent.push(`${commandName} ${(command['documents'] ?? command['updates']).length}`);
    };
    const value = Buffer.from(JSON.stringify('x'.repeat(1.25 * 1024 * 1024)));
    const objects = [heldOf(1, value), heldOf(2, value), heldOf(3)];
    await using(receive(true, onCommand), async (receiver) => {
      await receiver.put(objects, NONE);
      await receiver.put(objects, new Set(objects.map((one) => one.key)));
    });
    expect(sent).to.deep.equal(['insert 1', 'insert 2', 'update 1', 'update 2']);
  });

  it('is unavailable once it is closed, for every call', async () => {
    const receiver = await receive(true);
    await receiver.close();
    const calls: Readonly<Record<string, (receiver: Receiver) => Promise<unknown>>> = {
      present: (one) => all(one.present()),
      objects: (one) => all(one.objects()),
      logged: (one) => one.logged(0),
      put: (one) => one.put([heldOf(1)], NONE),
      remove: (one) => one.remove([key]),
      log: (one) => one.log([{ end: 1, changes: [heldOf(1)], counters: new Map(), at: 0 }]),
      get: (one) => one.get(key),
      finish: (one) => one.finish(headOf(1)),
    };
    for (const [name, call] of Object.entries(calls)) {
      expect(await failureOf(call(receiver)), name).to.include('MongoDB is unavailable: ');
    }
  });
});
