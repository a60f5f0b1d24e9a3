import { expect } from 'chai';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import type { Backend, Put, Revision } from '../backend.js';
import { keyOf } from '../key.js';
import { encodeTuple } from '../tuple.js';
import { openMongodb } from './open.js';

const RESOURCE = 'notes.test.svc.app';
const value = new TextEncoder().encode('{}');
const rows = [{ index: 'byTitle', tuple: encodeTuple(['a']) }];

function change(revision: Revision, name: string, rest: Partial<Put> = { value }): Put {
  return { key: keyOf(RESOURCE, 'default', name), revision, ...rest };
}

describe('a commit to MongoDB', function () {
  this.timeout(60_000);
  const sent: string[] = [];
  let database = '';
  let uri = '';
  let a: Backend;
  let b: Backend;
  let end = 0;

  before(async function () {
    uri = await sharedMongodb(this);
    [database, end] = [freshDatabase(), 0];
    const onCommand = ({ command, commandName }: CommandStartedEvent): void => {
      if (command['txnNumber'] !== undefined) sent.push(`${commandName} ${command[commandName]}`);
    };
    a = await openMongodb({ uri, database, domain: 'svc.app', onCommand });
    b = await openMongodb({ uri, database, domain: 'svc.app' });
    await append(a, change(1, 'first'));
  });
  beforeEach(() => {
    sent.length = 0;
  });
  after(async () => {
    await a.close();
    await b.close();
    const client = new MongoClient(uri);
    await client.db(database).dropDatabase();
    await client.close();
  });

  async function append(backend: Backend, ...changes: readonly Put[]): Promise<void> {
    await backend.append(end, { commit: `c${end}`, changes, counters: new Map([[RESOURCE, end]]) });
    end += changes.length;
  }

  it('of few changes takes two commands beside the one that commits', async () => {
    await append(a, change(2, 'second'), change(3, 'third'));
    expect(sent).to.deep.equal(['update changes', `insert ${RESOURCE}`, 'commitTransaction 1']);
    expect((await a.get([keyOf(RESOURCE, 'default', 'third')])).size).to.equal(1);
    expect(await b.counters()).to.deep.equal(new Map([[RESOURCE, 1]]));
  });

  it('is refused if another server has written, and writes nothing', async () => {
    await append(b, change(4, 'of-b'));
    const late = { commit: 'late', changes: [change(4, 'of-a')], counters: new Map<string, number>() };
    for (const changes of [late.changes, [change(4, 'of-a'), change(5, 'more')]]) {
      const error = await a.append(3, { ...late, changes }).catch((reason: unknown) => reason);
      expect(error).to.include({ code: 'behind' });
    }
    expect(await a.end()).to.equal(4);
    expect((await a.get([keyOf(RESOURCE, 'default', 'of-a')])).size).to.equal(0);
  });

  it('removes index rows of which this server did not know', async () => {
    await append(b, change(5, 'indexed', { value, rows }));
    const previous = { key: keyOf(RESOURCE, 'default', 'indexed'), revision: 5, value };
    await append(a, { key: previous.key, revision: 6, previous });
    const client = new MongoClient(uri);
    expect(await client.db(database).collection(`${RESOURCE}:rows`).countDocuments()).to.equal(0);
    await client.close();
  });
});
