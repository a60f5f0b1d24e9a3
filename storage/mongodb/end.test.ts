import { expect } from 'chai';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import { startReplicaSet } from '../../hack/mongod.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { keyOf } from '../key.js';
import { openMongodb } from './open.js';

const key = keyOf('folders.folder.svc.app', 'default', 'a');
const change = (revision: number) => ({ key, revision, value: new TextEncoder().encode('{}') });

/** A backend and the probes that it sends. */
async function probed(uri: string) {
  const probes: string[] = [];
  const onCommand = ({ command }: CommandStartedEvent): void => {
    if (command['find'] === 'log' && command['readConcern']?.level === 'linearizable') probes.push('read');
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

  it('is found by reading alone where that is answered at once, once for all who ask together', async function () {
    const { backend, probes, drop } = await probed(await sharedMongodb(this));
    const ends = await Promise.all(Array.from({ length: 50 }, () => backend.end()));
    expect(new Set(ends)).to.deep.equal(new Set([0]));
    expect(probes.slice(0, 2)).to.deep.equal(['read', 'read'].slice(0, probes.length));
    expect(probes.length).to.be.at.most(2);
    await drop();
  });

  it('is found by writing where a majority is one member and waits for its journal', async () => {
    const set = await startReplicaSet({ members: 1 });
    try {
      const client = new MongoClient(set.uri);
      const admin = client.db('admin');
      const { config } = await admin.command({ replSetGetConfig: 1 });
      const changed = { ...config, version: config.version + 1, writeConcernMajorityJournalDefault: true };
      await admin.command({ replSetReconfig: changed });
      await client.close();
      const { backend, probes, drop } = await probed(set.uri);
      await backend.append(0, { commit: 'c1', changes: [change(1)], counters: new Map() });
      expect(await backend.end()).to.equal(1);
      expect(probes).to.deep.equal(['write']);
      await drop();
    } finally {
      await set.stop();
    }
  });

  it('is told by an append under way to those who ask meanwhile', async function () {
    const { backend, probes, drop } = await probed(await sharedMongodb(this));
    const rounds = 30;
    for (let after = 0; after < rounds; after++) {
      const batch = { commit: `c${after}`, changes: [change(after + 1)], counters: new Map() };
      const appending = backend.append(after, batch);
      expect(await backend.end()).to.be.oneOf([after, after + 1]);
      await appending;
    }
    expect(probes.length).to.be.below(rounds);
    await drop();
  });
});
