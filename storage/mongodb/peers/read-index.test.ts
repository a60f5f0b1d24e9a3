import { expect } from 'chai';
import {
  type CommandStartedEvent,
  MongoClient,
  MongoNetworkTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../../hack/mongod/shared.js';
import { startReplicaSet } from '../../../hack/mongod.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { keyOf } from '../../key.js';
import type { Database } from '../connection/database.js';
import { openMongodb } from '../open.js';
import type { Heartbeat } from './heartbeat.js';
import { placeOf, ReadIndex } from './read-index.js';

const key = keyOf('folders.folder.svc.app', 'default', 'a');
const value = new TextEncoder().encode('{}');
/** The change of the object at each revision. */
const change = (revision: number) => ({
  key,
  revision,
  value,
  ...(revision > 1 && { previous: { key, revision: revision - 1, value } }),
});

/** A backend, and the probes that it sends. */
async function probed(uri: string) {
  const probes: string[] = [];
  const onCommand = ({ command }: CommandStartedEvent): void => {
    if (command['find'] === 'changes' && command['readConcern']?.level === 'linearizable') probes.push('read');
    if (command['update'] === 'servers' && command['writeConcern']?.w === 'majority') probes.push('write');
  };
  const database = freshDatabase();
  const backend = await openMongodb({ uri, database, domain: 'svc.app', onCommand });
  const drop = async (): Promise<void> => {
    await backend.close();
    const client = new MongoClient(uri);
    await client.db(database).dropDatabase();
    await client.close();
  };
  return { backend, probes, drop };
}

describe('the end of the log', function () {
  this.timeout(60_000);

  it('is found by one read for all concurrent calls, if linearizable reads are fast', async function () {
    const { backend, probes, drop } = await probed(await sharedMongodb(this));
    const ends = await Promise.all(Array.from({ length: 50 }, () => backend.end()));
    expect(new Set(ends)).to.deep.equal(new Set([0]));
    // If a read takes too long, a write follows.
    expect(probes[0]).to.equal('read');
    expect(probes.filter((probe) => probe === 'read').length).to.be.at.most(2);
    await drop();
  });

  it('is found by a write if the majority is one member that waits for its journal', async () => {
    const set = await startReplicaSet({ members: 1 });
    try {
      const client = new MongoClient(set.uri);
      const admin = client.db('admin');
      const { config } = await admin.command({ replSetGetConfig: 1 });
      const changed = { ...config, version: config.version + 1, writeConcernMajorityJournalDefault: true };
      await admin.command({ replSetReconfig: changed });
      await client.close();
      const { backend, probes, drop } = await probed(set.uri);
      await backend.append(0, { commitId: 'c1', changes: [change(1)], counters: new Map() });
      expect(await backend.end()).to.equal(1);
      expect(probes).to.deep.equal(['write']);
      await drop();
    } finally {
      await set.stop();
    }
  });

  it('is answered by a running append, without a probe, to calls before its commit is sent', async () => {
    let probes = 0;
    const client = { startSession: () => ({ endSession: async () => undefined }) };
    const command = async () => {
      probes++;
      return { cursor: { firstBatch: [{ revision: 9 }] } };
    };
    const database = { client, command, readsLinearizably: true } as unknown as Database;
    const end = new ReadIndex(database, {} as unknown as Heartbeat);
    let commit = (): void => undefined;
    const committed = new Promise<void>((resolve) => {
      commit = resolve;
    });
    end.appending(committed);
    const asked = Promise.all([end.ask(), end.ask()]);
    const proving = end.prove(7, () => committed);
    commit();
    await proving;
    expect([await asked, probes]).to.deep.equal([[7, 7], 0]);
    // A commit that fails proves nothing.
    const failing = Promise.reject(new Error('lost'));
    end.appending(failing);
    const askedAgain = end.ask();
    await end.prove(8, () => failing).catch(() => undefined);
    expect([await askedAgain, probes]).to.deep.equal([9, 1]);
  });

  it('is asked for by a write if a read is refused, and not if the time is over', async () => {
    const found: string[] = [];
    for (const failure of [
      new MongoServerError({ message: 'refused', code: 1 }),
      new MongoNetworkTimeoutError('timed out'),
      new MongoServerSelectionError('none', { servers: new Map() } as unknown as TopologyDescription),
    ]) {
      let beats = 0;
      const client = { startSession: () => ({ endSession: async () => undefined }) };
      const logHead = { findOne: async () => ({ revision: 7 }) };
      const read = (work: (session: undefined) => unknown) => work(undefined);
      const command = () => Promise.reject(failure);
      const database = { client, command, read, logHead, readsLinearizably: true } as unknown as Database;
      const beat = async (_session: unknown, majority: boolean) => {
        if (majority) beats++;
      };
      const end = new ReadIndex(database, { beat } as unknown as Heartbeat);
      const answer = await end.ask().catch((error: Error) => error.message);
      found.push(`${answer} after ${beats}`);
    }
    expect(found).to.deep.equal(['7 after 1', 'timed out after 0', 'none after 0']);
  });

  it('is unknown if there is no log', () => {
    expect(placeOf({ revision: 0, commit: '' })).to.deep.equal({ revision: 0, commitId: '' });
    for (const none of [null, undefined]) expect(() => placeOf(none)).to.throw('was the database dropped?');
  });

  // How many calls an append answers depends on the speed of the database: docs/adr/0011 has measurements.
  it('is right for calls during an append', async function () {
    const { backend, probes, drop } = await probed(await sharedMongodb(this));
    const rounds = 30;
    for (let after = 0; after < rounds; after++) {
      const batch = { commitId: `c${after}`, changes: [change(after + 1)], counters: new Map() };
      const appending = backend.append(after, batch);
      expect(await backend.end()).to.be.oneOf([after, after + 1]);
      await appending;
    }
    expect(probes.filter((probe) => probe === 'read').length).to.be.at.most(rounds);
    await drop();
  });
});
