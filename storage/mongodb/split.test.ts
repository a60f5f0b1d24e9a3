import { expect } from 'chai';
import type { Batch, Put } from '../backend.js';
import { plainCommit, read } from '../testing/backend/fixture.js';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { writeBatch } from './commit.js';
import { prepare } from './prepare.js';
import { stage } from './staged.js';

const RESOURCE = 'notes.tests.svc.app';

describe('a commit with a document for each change', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  beforeEach(async function () {
    own = await ownDatabase(this);
    await own.database.ensure([RESOURCE]);
  });
  afterEach(() => own.close());

  async function commit(after: number, changes: readonly Put[], counters: Batch['counters'] = new Map()) {
    const session = own.database.client.startSession();
    session.startTransaction();
    const batch = { commit: `c${after}`, changes, counters };
    const prepared = { ...(await prepare('s', after, batch)), isSplit: true };
    expect(await writeBatch(own.database, session, prepared)).to.equal(true);
    await session.commitTransaction();
    await session.endSession();
  }

  const documents = () =>
    own.db
      .collection('changes')
      .find({ end: { $exists: true } })
      .sort({ _id: 1 })
      .toArray();

  it('is read as it was written, with previous values, deletions and counters', async () => {
    const text = (value: string): Uint8Array => Buffer.from(JSON.stringify(value));
    const [a, b] = [created(1, 'a', { value: text('a') }), created(2, 'b')];
    await commit(0, [a, b], new Map([[RESOURCE, 7]]));
    const { key } = a;
    const replaced = created(3, 'a', { value: text('ä'), previous: { key, revision: 1, value: text('a') } });
    const again = created(4, 'a', { value: text('A'), previous: { key, revision: 3, value: text('ä') } });
    const deleted: Put = { key: b.key, revision: 5, previous: { key: b.key, revision: 2, value: Buffer.from('{}') } };
    await commit(2, [replaced, again, deleted]);
    const server = await own.open();
    const plain = [
      { end: 2, changes: [a, b], counters: new Map([[RESOURCE, 7]]) },
      { end: 5, changes: [replaced, again, deleted], counters: new Map() },
    ].map(plainCommit);
    expect((await read(server, 0, 5)).map(plainCommit)).to.deep.equal(plain);
    expect(await server.counters()).to.deep.equal(new Map([[RESOURCE, 7]]));
  });

  it('is read with the values that were staged for it', async () => {
    const previous = { ...created(1, 'a'), revision: 1, value: Buffer.from('{"old":1}') };
    const changes = [created(2, 'a', { previous }), created(3, 'b')];
    await commit(0, [created(1, 'a', { value: previous.value })]);
    const batch = { commit: 'c1', changes, counters: new Map() };
    const session = own.database.client.startSession();
    await stage(own.database, 1, batch);
    session.startTransaction();
    await writeBatch(own.database, session, { ...(await prepare('s', 1, batch)), staged: true, isSplit: true });
    await session.commitTransaction();
    await session.endSession();
    const server = await own.open();
    expect((await read(server, 1, 3)).map(plainCommit)).to.deep.equal([{ ...batch, end: 3 }].map(plainCommit));
    const [, replaced, added] = await documents();
    expect(replaced?.['previous']).to.deep.equal({ revision: 1 });
    expect(added).to.have.keys('_id', 'end', 'commit', 'key', 'staged', 'at');
  });

  it('has documents that servers of the version before can read', async () => {
    await commit(0, [created(1, 'a'), created(2, 'b')], new Map([[RESOURCE, 7]]));
    const { key } = created(2, 'b');
    await commit(2, [{ key, revision: 3, previous: { key, revision: 2, value: Buffer.from('{}') } }]);
    const found = (await documents()).map(({ at, ...rest }) => ({ ...rest, isTimed: at instanceof Date }));
    const [first, second] = [1, 2].map((revision) => {
      const { key } = created(revision, revision === 1 ? 'a' : 'b');
      return { _id: revision, end: 2, commit: 'c0', key, body: '{}', isTimed: true };
    });
    expect(found).to.deep.equal([
      first,
      { ...second, counters: { 'notes/tests/svc/app': 7 } },
      { _id: 3, end: 3, commit: 'c2', key, previous: { revision: 2, body: '{}' }, isTimed: true },
    ]);
  });
});
