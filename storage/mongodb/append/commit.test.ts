import { expect } from 'chai';
import { type CommandStartedEvent, type Db, MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../../hack/mongod/shared.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import type { Backend, Put, Revision, Stored } from '../../backend.js';
import { keyOf } from '../../key.js';
import { openMongodb } from '../open.js';

const RESOURCE = 'notes.test.svc.app';
const value = new TextEncoder().encode('{}');

function change(revision: Revision, name: string, rest: Partial<Put> = { value }, resource: string = RESOURCE): Put {
  return { key: keyOf(resource, 'default', name), revision, ...rest };
}

function previous({ key, revision }: Put): Stored {
  return { key, revision, value };
}

describe('a commit to MongoDB', function () {
  this.timeout(60_000);
  const sent: string[] = [];
  let client: MongoClient;
  let db: Db;
  let a: Backend;
  let b: Backend;
  let end = 0;
  let commits = 0;

  before(async function () {
    const [uri, database] = [await sharedMongodb(this), freshDatabase()];
    end = 0;
    const onCommand = ({ command, commandName }: CommandStartedEvent): void => {
      if (commandName === 'update' && command['update'] !== 'servers')
        sent.push(`${commandName} ${command[commandName]}`);
    };
    client = new MongoClient(uri);
    db = client.db(database);
    a = await openMongodb({ uri, database, domain: 'svc.app', onCommand });
    b = await openMongodb({ uri, database, domain: 'svc.app' });
  });
  beforeEach(async () => {
    await append(a, change(end + 1, `known-${end}`));
    sent.length = 0;
  });
  after(async () => {
    await a.close();
    await b.close();
    await db.dropDatabase();
    await client.close();
  });

  async function append(backend: Backend, ...changes: readonly Put[]): Promise<void> {
    await backend.append(end, { commitId: `c${commits++}`, changes, counters: new Map([[RESOURCE, end]]) });
    end += changes.length;
  }

  it('is one command', async () => {
    const before = end;
    await append(a, change(end + 1, 'second'), change(end + 2, 'third'));
    expect(sent).to.deep.equal(['update changes']);
    expect((await a.get([keyOf(RESOURCE, 'default', 'third')])).size).to.equal(1);
    expect(await b.counters()).to.deep.equal(new Map([[RESOURCE, before]]));
  });

  it('replaces the objects that have changed, and no others, and adds the new ones', async () => {
    const [old, kept] = [change(end + 1, 'old'), change(end + 2, 'kept')];
    await append(a, old, kept);
    sent.length = 0;
    const [changed, added] = [change(end + 1, 'old', { value, previous: previous(old) }), change(end + 2, 'new')];
    await append(a, changed, added);
    expect(sent).to.deep.equal(['update changes']);
    const found = await b.get([changed.key, kept.key, added.key]);
    for (const { key, revision } of [changed, kept, added]) expect(found.get(key)?.revision, key).to.equal(revision);
  });

  it('without changes leaves the commit before it as it was', async () => {
    const last = () => db.collection<{ _id: number }>('changes').findOne({ _id: end });
    const before = await last();
    expect(before).to.include({ from: end });
    await append(a);
    expect(await last()).to.deep.equal(before);
    expect((await b.counters()).get(RESOURCE)).to.equal(end);
  });

  it('is refused if another server has written, and writes nothing', async () => {
    const after = end;
    await append(b, change(end + 1, 'of-b'));
    const late = { commitId: 'late', changes: [change(after + 1, 'of-a')], counters: new Map<string, number>() };
    for (const changes of [late.changes, [...late.changes, change(after + 2, 'more')]]) {
      const error = await a.append(after, { ...late, changes }).catch((reason: unknown) => reason);
      expect(error).to.include({ code: 'behind' });
    }
    expect(await a.end()).to.equal(end);
    expect((await a.get([keyOf(RESOURCE, 'default', 'of-a')])).size).to.equal(0);
  });
});
