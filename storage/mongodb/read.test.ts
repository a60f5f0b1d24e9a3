import { expect } from 'chai';
import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import type { Backend, IndexRange } from '../backend.js';
import { partsOf } from '../key.js';
import { key, RESOURCE, type Wish, write } from '../testing/backend/fixture.js';
import { encodeTuple } from '../tuple.js';
import { rowId } from './documents.js';
import { openMongodb } from './open.js';

const COUNT = 2000;

function nameOf(i: number): string {
  return `n${String(i).padStart(4, '0')}`;
}

function rowOf(i: number) {
  return { index: 'byTime', tuple: encodeTuple([i]) };
}

describe('ranges in mongodb', function () {
  this.timeout(60_000);
  const database = freshDatabase();
  let client: MongoClient;
  let backend: Backend;
  /** The collections that the backend has read. */
  const reads: string[] = [];
  before(async function () {
    const uri = await sharedMongodb(this);
    client = await new MongoClient(uri).connect();
    const onCommand = ({ command }: CommandStartedEvent): void => {
      const collection = command['aggregate'] ?? command['find'];
      if (collection !== undefined) reads.push(collection);
    };
    backend = await openMongodb({ uri, database, domain: 'svc.app', onCommand });
    const wishes = Array.from(
      { length: COUNT },
      (_, i): Wish => ({ key: key(nameOf(i)), value: '', rows: [rowOf(i)] }),
    );
    await write(backend, wishes);
  });
  after(async () => {
    await backend?.close();
    await client?.db(database).dropDatabase();
    await client?.close();
  });

  async function names(range: IndexRange): Promise<readonly string[]> {
    return (await backend.range(RESOURCE, range)).map(({ stored }) => partsOf(stored.key).name);
  }

  /** How many keys and documents the database examined in the collections of the resource during `work`. */
  async function examined(work: () => Promise<unknown>): Promise<number> {
    const db = client.db(database);
    await db.command({ profile: 2 });
    await work();
    await db.command({ profile: 0 });
    const entries = await db
      .collection<Document>('system.profile')
      .find({ ns: new RegExp(RESOURCE) })
      .toArray();
    await db.dropCollection('system.profile');
    expect(entries).to.have.length.above(0);
    return entries.reduce((sum, entry) => sum + entry['keysExamined'] + entry['docsExamined'], 0);
  }

  for (const reverse of [false, true]) {
    it(`examine little more than what they return, ${reverse ? 'descending' : 'ascending'}`, async () => {
      const limit = 50;
      const byTime: IndexRange = { index: 'byTime', from: encodeTuple([700]), to: encodeTuple([1400]), limit, reverse };
      const byKey: IndexRange = { from: key(nameOf(700)), to: key(nameOf(1400)), limit, reverse };
      for (const range of [byTime, byKey]) {
        const count = await examined(async () => {
          const expected = Array.from({ length: limit }, (_, i) => nameOf(reverse ? 1399 - i : 700 + i));
          expect(await names(range)).to.deep.equal(expected);
        });
        // A row and its object, each by its key.
        expect(count).to.be.at.most(4 * limit + 10);
      }
    });
  }

  it('are read by the same commands if they are read together, each in its order', async () => {
    const ranges = [
      { from: 5, to: 9, limit: 3, reverse: false },
      { from: 4, to: 90, limit: 2, reverse: true },
      { from: 3000, to: 4000, limit: 2, reverse: false },
    ].map(({ from, to, ...rest }) => ({
      index: 'byTime',
      from: encodeTuple([from]),
      to: encodeTuple([to]),
      ...rest,
    }));
    reads.length = 0;
    const found = await Promise.all(ranges.map(names));
    expect(found).to.deep.equal([[nameOf(5), nameOf(6), nameOf(7)], [nameOf(89), nameOf(88)], []]);
    expect(reads).to.deep.equal([`${RESOURCE}:rows`, RESOURCE]);
  });

  it('skip rows that their objects do not name, as during a write, and still return as many as wanted', async () => {
    const gone = { _id: rowId(rowOf(10.5), key('gone')), key: key('gone') };
    const moved = [10.1, 10.2, 10.3].map((time) => ({
      _id: rowId(rowOf(time), key(nameOf(99))),
      key: key(nameOf(99)),
    }));
    const rows = client.db(database).collection<{ _id: string; key: string }>(`${RESOURCE}:rows`);
    await rows.insertMany([gone, ...moved]);
    try {
      for (const limit of [1, 2, 3, 4]) {
        const range = { index: 'byTime', from: encodeTuple([10.05]), to: encodeTuple([13]), limit };
        expect(await names(range)).to.deep.equal([nameOf(11), nameOf(12)].slice(0, limit));
        const descending = { ...range, from: encodeTuple([9]), to: encodeTuple([10.9]), reverse: true };
        expect(await names(descending)).to.deep.equal([nameOf(10), nameOf(9)].slice(0, limit));
      }
    } finally {
      await rows.deleteMany({ _id: { $in: [gone, ...moved].map(({ _id }) => _id) } });
    }
  });
});
