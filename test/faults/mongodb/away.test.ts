import { expect } from 'chai';
import type { Member } from '../../../hack/mongod/member.js';
import type { ReplicaSet } from '../../../hack/mongod/replica-set.js';
import { freshDatabase, ownReplicaSet } from '../../../hack/mongod/shared.js';
import { isStorageError } from '../../../storage/errors.js';
import { keyOf } from '../../../storage/key.js';
import { openMongodb } from '../../../storage/mongodb/open.js';
import { follow, Ledger } from './ledger.js';

const TIMEOUTS = { selection: 500, answer: 1000, settle: 1500 };

describe('MongoDB that is unavailable for a while', function () {
  this.timeout(120_000);
  let set: ReplicaSet;
  before(async function () {
    set = await ownReplicaSet(this, 1);
  });
  after(() => set?.stop());

  const ways: Record<string, { away(member: Member): unknown; back(member: Member): unknown }> = {
    'stopped by a signal, with open sockets': { away: (member) => member.pause(), back: (member) => member.resume() },
    'killed and restarted': { away: (member) => member.kill9(), back: (member) => member.restart() },
    'shut down and restarted': { away: (member) => member.stop(), back: (member) => member.restart() },
  };
  for (const [how, { away, back }] of Object.entries(ways)) {
    it(`fails every call instead of hanging, and recovers by itself: ${how}`, async () => {
      const member = set.members[0]!;
      const backend = await openMongodb({
        uri: set.uri,
        database: freshDatabase(),
        domain: 'svc.app',
        timeouts: TIMEOUTS,
      });
      const ledger = new Ledger(backend);
      const tail = follow(backend);
      for (let i = 0; i < 10; i++) await ledger.acknowledge();
      const end = await backend.end();
      await away(member);
      const calls = {
        end: () => backend.end(),
        get: () => backend.get([keyOf('folders.folder.svc.app', 'default', 'n1')]),
        append: () => backend.append(end, { commitId: 'away', changes: [], counters: new Map([['c', 1]]) }),
        compact: () => backend.compact(1),
        counters: () => backend.counters(),
        load: async () => {
          for await (const _ of backend.load('folders.folder.svc.app'));
        },
      };
      const outcomes = await Promise.all(
        Object.entries(calls).map(async ([name, call]) => {
          const error = await call().then(
            () => undefined,
            (reason: unknown) => reason,
          );
          return `${name}: ${isStorageError(error) ? error.code : error}`;
        }),
      );
      await back(member);
      expect(outcomes).to.deep.equal(Object.keys(calls).map((name) => `${name}: unavailable`));
      for (let i = 0; i < 6; i++) await ledger.acknowledge();
      await tail.until(await backend.end());
      console.log(`      ${outcomes.length} calls while ${how}; ${await ledger.check(backend, [tail.found])}`);
      await backend.close();
    });
  }
});
