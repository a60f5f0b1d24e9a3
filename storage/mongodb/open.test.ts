import { expect } from 'chai';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { startStandalone } from '../../hack/mongod/replica-set.js';
import { freshDatabase, orSkip, sharedMongodb } from '../../hack/mongod/shared.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { isStorageError, type StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import type { MongodbOptions } from './connection/options.js';
import { openMongodb } from './open.js';

const key = keyOf('folders.folder.svc.app', 'default', 'a');
const value = new TextEncoder().encode('{}');

async function refusal(options: MongodbOptions): Promise<StorageError> {
  try {
    await (await openMongodb(options)).close();
  } catch (error) {
    if (isStorageError(error)) return error;
    throw error;
  }
  throw new Error('It was opened.');
}

describe('openMongodb', function () {
  this.timeout(60_000);
  let uri = '';
  let options: MongodbOptions;
  before(async function () {
    uri = await sharedMongodb(this);
  });
  beforeEach(() => {
    options = { uri, database: freshDatabase(), domain: 'svc.app', timeouts: { selection: 800 } };
  });
  afterEach(async () => {
    const client = new MongoClient(uri);
    await client.db(options.database).dropDatabase();
    await client.close();
  });

  it('refuses a standalone server and tells how to make it a replica set', async function () {
    const standalone = await orSkip(this, startStandalone());
    try {
      const error = await refusal({ ...options, uri: standalone.uri });
      expect(error).to.include({ code: 'refused' });
      expect(error.message).to.match(/standalone.*--replSet.*rs\.initiate\(\)/s);
    } finally {
      await standalone.stop();
    }
  });

  it('tells what to run for a replica set that was never initiated', async function () {
    const member = await orSkip(this, startStandalone('rs'));
    try {
      const error = await refusal({ ...options, uri: member.uri });
      expect(error).to.include({ code: 'unavailable' });
      expect(error.message).to.include('run rs.initiate()');
    } finally {
      await member.stop();
    }
  });

  it('refuses a database of another API domain and names both', async () => {
    await (await openMongodb(options)).close();
    const error = await refusal({ ...options, domain: 'example.com' });
    expect(error).to.include({ code: 'refused' });
    expect(error.message).to.match(/svc\.app.*example\.com.*api\.domain/s);
  });

  it('refuses a database that a later version wrote', async () => {
    await (await openMongodb(options)).close();
    const client = new MongoClient(uri);
    const log = client.db(options.database).collection<{ _id: string; format: number }>('log');
    await log.updateOne({ _id: 'domain' }, { $set: { format: 6 } });
    await client.close();
    expect(await refusal(options)).to.include({ code: 'refused' });
  });

  it('converts a database of an earlier version, unless a server still uses it', async () => {
    const backend = await openMongodb(options);
    await backend.append(0, { commitId: 'c1', changes: [{ key, revision: 1, value }], counters: new Map([['x', 7]]) });
    const client = new MongoClient(uri);
    const former = client.db(options.database).collection<{ _id: string; format?: number }>('log');
    const changes = client.db(options.database).collection<{ _id: string }>('changes');
    const heads = { _id: { $in: ['log', 'compaction'] } };
    const domain = await former.findOneAndDelete({ _id: 'domain' });
    // That version wrote them in this order.
    await former.insertMany([...(await changes.find(heads).toArray()), { ...domain!, format: 1 }]);
    const used = await refusal(options);
    expect(used).to.include({ code: 'refused' });
    expect(used.message).to.include('Stop it');
    await backend.close();
    await changes.deleteMany(heads);
    const servers = await Promise.all([1, 2].map(() => openMongodb(options)));
    expect(await former.countDocuments(heads)).to.equal(0);
    await client.close();
    expect(await servers[0]?.counters()).to.deep.equal(new Map([['x', 7]]));
    const previous = { key, revision: 1, value };
    await servers[1]?.append(1, {
      commitId: 'c2',
      changes: [{ key, revision: 2, value, previous }],
      counters: new Map(),
    });
    expect(await servers[0]?.end()).to.equal(2);
    await Promise.all(servers.map((server) => server.close()));
  });

  it('reads the log that an earlier version wrote, in which each change had a document', async () => {
    const former = await openMongodb(options);
    for (const revision of [1, 2, 3]) {
      const changes = [{ key: keyOf('folders.folder.svc.app', 'default', `f${revision}`), revision, value }];
      await former.append(revision - 1, { commitId: `c${revision}`, changes, counters: new Map() });
    }
    await former.close();
    const client = new MongoClient(uri);
    const log = client.db(options.database).collection<{ _id: string | number }>('changes');
    const [commit, at, body] = ['of-two', new Date(), '{}'];
    await log.deleteMany({ _id: { $in: [1, 2] } });
    await log.insertMany([1, 2].map((_id) => ({ _id, end: 2, commit, at, key: `${key.slice(0, -1)}f${_id}`, body })));
    await client
      .db(options.database)
      .collection<{ _id: string }>('log')
      .updateOne({ _id: 'domain' }, { $set: { format: 2 } });
    await client.close();
    const server = await openMongodb(options);
    const seen: number[][] = [];
    const stop = new AbortController();
    for await (const { end, changes } of server.tail(0, stop.signal)) {
      seen.push(changes.map(({ revision }) => revision));
      if (end === 3) stop.abort();
    }
    expect(seen).to.deep.equal([[1, 2], [3]]);
    await server.compact(2);
    expect(await server.revisionBefore(-1000)).to.equal(3);
    await server.close();
  });

  it('refuses a malformed MongoDB URI without showing the password', async () => {
    for (const wrong of ['postgres://u:secret@h/', 'mongodb://u:secret@h:port/', 'mongodb://u:secret@h/?nonsense=1']) {
      const error = await refusal({ ...options, uri: wrong });
      expect(error).to.include({ code: 'refused' });
      expect(error.message).to.include('storage.mongodb_uri');
      expect(error.message).not.to.include('secret');
    }
  });

  it('names the module of a compressor that is not installed', async () => {
    const { message } = await refusal({ ...options, uri: `${uri}&compressors=snappy` });
    expect(message).to.match(/needs the module snappy, which is not installed.*compressors=zlib/);
  });

  it('names the hosts of the URI if they belong to another replica set', async () => {
    const { message } = await refusal({ ...options, uri: uri.replace('replicaSet=rs', 'replicaSet=other') });
    expect(message).to.match(/answers at 127\.0\.0\.1:\d+ .*do not belong to the replica set other/);
  });

  it('names the server that does not answer', async () => {
    const error = await refusal({ ...options, uri: 'mongodb://127.0.0.1:9/?replicaSet=rs' });
    expect(error).to.include({ code: 'unavailable' });
    expect(error.message).to.include('127.0.0.1:9');
  });

  it('creates its collections and indexes once, even if several servers start together', async () => {
    const servers = await Promise.all([1, 2, 3].map(() => openMongodb(options)));
    expect(await Promise.all(servers.map((server) => server.end()))).to.deep.equal([0, 0, 0]);
    await Promise.all(servers.map((server) => server.close()));
  });

  it('writes to a majority with its journal and reads from a majority, whatever the URI says', async () => {
    const commands: CommandStartedEvent[] = [];
    const weak =
      'w=0&journal=false&wtimeoutMS=1&readPreference=secondary&readConcernLevel=local&retryWrites=false&timeoutMS=1';
    const backend = await openMongodb({
      ...options,
      uri: `${uri}&${weak}`,
      onCommand: (event) => commands.push(event),
    });
    await backend.append(0, { commitId: 'c1', changes: [{ key, revision: 1, value }], counters: new Map() });
    await backend.end();
    await backend.get([key]);
    await backend.compacted();
    await backend.close();
    const named = (name: string) =>
      commands.filter((event) => event.commandName === name).map((event) => event.command);
    const commits = named('update').filter((command) => command['updates'].length === 2);
    expect(commits.map((command) => command['writeConcern'])).to.deep.equal([
      { w: 'majority', j: true, wtimeout: 10_000 },
    ]);
    const weakened = commands
      .filter((event) => event.command['writeConcern']?.w === 0)
      .map((event) => event.commandName);
    // Sent by the driver when it closes.
    expect(weakened.filter((name) => name !== 'endSessions')).to.deep.equal([]);
    for (const find of named('find')) {
      expect(find['readConcern']?.level).to.be.oneOf(['majority', 'linearizable']);
      expect(find['$readPreference']?.mode ?? 'primary').to.not.equal('secondary');
    }
  });
});

describe('documents in mongosh', function () {
  this.timeout(60_000);

  it('have names, labels and titles beside the body', async function () {
    const uri = await sharedMongodb(this);
    const database = freshDatabase();
    const backend = await openMongodb({ uri, database, domain: 'svc.app' });
    const body =
      '{"metadata":{"uid":"u1","labels":{"app.kubernetes.io/name":"x","$bad":"y","n":1}},"spec":{"title":"Ops"}}';
    const put = { key, revision: 1, value: new TextEncoder().encode(body) };
    await backend.append(0, { commitId: 'c1', changes: [put], counters: new Map() });
    await backend.materialize?.();
    await backend.close();
    const client = new MongoClient(uri);
    const found = await client.db(database).collection('folders.folder.svc.app').findOne({ title: 'Ops' });
    expect(found).to.deep.equal({
      _id: key,
      revision: 1,
      metadata: { name: 'a', namespace: 'default', uid: 'u1', labels: { 'app.kubernetes.io/name': 'x' } },
      title: 'Ops',
      body,
    });
    await client.db(database).dropDatabase();
    await client.close();
  });

  it('rejects an object that is too large and names it, and stores the others', async function () {
    const uri = await sharedMongodb(this);
    const database = freshDatabase();
    const backend = await openMongodb({ uri, database, domain: 'svc.app' });
    const long = keyOf('folders.folder.svc.app', 'default', 'long');
    const changes = [
      { key, revision: 1, value },
      { key: long, revision: 2, value: new Uint8Array(16 * 1024 * 1024).fill(32) },
    ];
    const error = await backend
      .append(0, { commitId: 'c1', changes, counters: new Map() })
      .catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'rejected', key: long });
    await backend.append(0, { commitId: 'c2', changes: changes.slice(0, 1), counters: new Map() });
    expect(await backend.end()).to.equal(1);
    const nearly = { key: long, revision: 2, value: new Uint8Array(15 * 1024 * 1024).fill(32) };
    await backend.append(1, { commitId: 'c3', changes: [nearly], counters: new Map() });
    const again = { ...nearly, revision: 3, previous: { key: long, revision: 2, value: nearly.value } };
    await backend.append(2, { commitId: 'c4', changes: [again], counters: new Map() });
    await backend.compact(3);
    await backend.close();
    const client = new MongoClient(uri);
    expect(await client.db(database).collection('staged').countDocuments()).to.equal(0);
    await client.db(database).dropDatabase();
    await client.close();
  });
});
