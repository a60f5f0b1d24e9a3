import { expect } from 'chai';
import type { Put } from '../../backend.js';
import { plainCommit, read } from '../../testing/backend/fixture.js';
import { created, useOwnDatabase } from '../../testing/mongodb.js';
import { logDocuments } from '../log/logged.js';

const RESOURCE = 'notes.tests.svc.app';
const MIB = 1024 * 1024;

describe('a commit with a document for each change, as earlier versions and copies of other stores have them', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');

  it('is read as it was written, with previous values, deletions and counters, by tails and by loads', async () => {
    const text = (value: string): Uint8Array => Buffer.from(JSON.stringify(value));
    const [a, b] = [created(1, 'a', { value: text('a') }), created(2, 'b')];
    const replaced = created(3, 'a', { value: text('ä'), previous: { key: a.key, revision: 1, value: text('a') } });
    const again = created(4, 'a', { value: text('A'), previous: { key: a.key, revision: 3, value: text('ä') } });
    const gone: Put = { key: b.key, revision: 5, previous: { key: b.key, revision: 2, value: Buffer.from('{}') } };
    const commits = [
      { end: 2, changes: [a, b], counters: new Map([[RESOURCE, 7]]), at: 0 },
      { end: 5, changes: [replaced, again, gone], counters: new Map(), at: 0 },
    ];
    const { changes } = logDocuments(commits);
    await own().database.changes.insertMany([...changes]);
    const head = { revision: 5, commit: changes.at(-1)?.commit ?? '' };
    await own().database.logHead.updateOne({ _id: 'log' }, { $set: head });
    const server = await own().open();
    const found = (await read(server, 0, 5)).map(({ end, changes, counters }) =>
      plainCommit({ end, changes, counters }),
    );
    expect(found).to.deep.equal(commits.map(plainCommit));
    const stored = await server.get([a.key, b.key]);
    expect([...stored.values()].map(({ revision }) => revision)).to.deep.equal([4]);
  });
});

describe('a commit that is larger than a document may be', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');
  const value = (n: number): Buffer => Buffer.from(JSON.stringify(`${n}`.repeat(9 * MIB)));

  it('is read as it was written, by servers, and in a backup, and its parts go with it', async () => {
    const server = await own().open();
    const first = created(1, 'a', { value: value(1) });
    const second = created(2, 'a', { value: value(2), previous: { key: first.key, revision: 1, value: value(1) } });
    await server.append(0, { commitId: 'c1', changes: [first], counters: new Map() });
    await server.append(1, {
      commitId: 'c2',
      parent: 'c1',
      changes: [second, created(3)],
      counters: new Map([['x', 2]]),
    });
    const other = await own().open();
    const commits = await read(other, 0, 3);
    expect(commits.map(({ changes }) => changes.map(({ value }) => value?.byteLength))).to.deep.equal([
      [value(1).length],
      [value(2).length, 2],
    ]);
    expect(commits[1]?.changes[0]?.previous?.value).to.deep.equal(value(1));
    expect((await other.get([first.key])).get(first.key)?.value).to.deep.equal(value(2));
    await other.materialize?.();
    expect((await other.get([first.key])).get(first.key)?.value).to.deep.equal(value(2));
    expect(await own().database.parts.countDocuments()).to.be.greaterThan(3);
    await server.compact(3);
    expect(await own().database.parts.countDocuments()).to.equal(0);
  });
});
