import { mock } from 'node:test';
import { expect } from 'chai';
import type { Revision } from '../../backend.js';
import { created, type OwnDatabase, ownDatabase } from '../../testing/mongodb.js';
import { type Prepared, prepare } from './prepare.js';
import { settle } from './settle.js';

describe('the outcome of an append whose answer was lost', function () {
  this.timeout(60_000);
  let own: OwnDatabase;

  beforeEach(async function () {
    own = await ownDatabase(this, { settle: 0 });
  });
  afterEach(() => own.close());

  /** Appends commits of one change each, named by their first revision, or one without changes. */
  async function write(from: Revision, to: Revision): Promise<void> {
    const server = await own.open();
    for (let revision = from; revision <= to; revision++) {
      const batch = { commitId: `c${revision}`, changes: [created(revision)], counters: new Map<string, number>() };
      await server.append(revision - 1, batch);
    }
    await server.close();
  }

  async function compactTo(revision: Revision): Promise<void> {
    const server = await own.open();
    await server.compact(revision);
    await server.close();
  }

  /** What is found if the log ends elsewhere. */
  const outcome = async (after: Revision, commit: string, count: number = 1): Promise<string> =>
    settle(own.database, await lost(after, commit, count), async () => false);

  function lost(after: Revision, commit: string, count: number = 1): Promise<Prepared> {
    const changes = Array.from({ length: count }, (_, i) => created(after + 1 + i));
    return prepare('s', after, { commitId: commit, changes, counters: new Map() });
  }

  it('is that it took place, if its commit is the last one, or has others behind it', async () => {
    await write(1, 3);
    expect(await outcome(2, 'c3')).to.equal('committed');
    expect(await outcome(0, 'c1')).to.equal('committed');
    expect(await outcome(1, 'c2')).to.equal('committed');
  });

  it('is that it took place, if the last commit has no change', async () => {
    const server = await own.open();
    await server.append(0, { commitId: 'empty', changes: [], counters: new Map([['x', 1]]) });
    expect(await outcome(0, 'empty', 0)).to.equal('committed');
  });

  it('is that it did not, if the log still ends there, or if another commit took its place', async () => {
    expect(await outcome(0, 'lost')).to.equal('absent');
    expect(await outcome(0, 'lost', 0)).to.equal('absent');
    await write(1, 3);
    expect(await outcome(3, 'lost')).to.equal('absent');
    expect(await outcome(3, 'lost', 0)).to.equal('absent');
    expect(await outcome(0, 'lost')).to.equal('absent');
    expect(await outcome(1, 'lost')).to.equal('absent');
  });

  it('is not known any more, if that part of the log was compacted', async () => {
    await write(1, 3);
    await compactTo(2);
    expect(await outcome(0, 'c1')).to.equal('forgotten');
    expect(await outcome(1, 'lost')).to.equal('forgotten');
    expect(await outcome(2, 'lost')).to.equal('absent');
    await compactTo(3);
    expect(await outcome(1, 'lost')).to.equal('forgotten');
  });

  it('is not known any more of a commit without changes, if others follow', async () => {
    await write(1, 2);
    expect(await outcome(1, 'empty', 0)).to.equal('forgotten');
  });

  it('stays open, if the log has a gap that no compaction made', async () => {
    await write(1, 3);
    await own.db.collection<{ _id: number }>('changes').deleteOne({ _id: 2 });
    expect(await outcome(1, 'lost')).to.equal('unreachable');
    expect(await outcome(0, 'c1')).to.equal('committed');
    await compactTo(1);
    expect(await outcome(1, 'lost')).to.equal('unreachable');
  });

  it('is that it did not, if another commit took its place, of which only the end of the log tells', async () => {
    await write(1, 2);
    await own.db.collection<{ _id: number }>('changes').deleteOne({ _id: 2 });
    expect(await outcome(1, 'lost')).to.equal('absent');
    expect(await outcome(1, 'c2')).to.equal('committed');
  });

  it('stays open, if there is no log', async () => {
    await own.db.collection<{ _id: string }>('changes').deleteOne({ _id: 'log' });
    expect(await outcome(0, 'lost')).to.equal('unreachable');
  });

  it('is that it took place, if the command is repeated with success', async () => {
    expect(await settle(own.database, await lost(0, 'c1'), async () => true)).to.equal('committed');
  });

  it('is asked for again after a failure, until the time is over', async () => {
    const database = await own.connect({ timeouts: { settle: 10_000 } });
    const { read } = database;
    let failures = 2;
    database.read = async (work) => {
      if (failures-- > 0) throw new Error('no primary');
      return read.call(database, work) as ReturnType<typeof work>;
    };
    expect(await settle(database, await lost(0, 'lost'), async () => false)).to.equal('absent');
    expect(failures).to.equal(-1);
    let asked = 0;
    own.database.read = () => {
      asked++;
      return Promise.reject(new Error('no primary'));
    };
    expect(await outcome(0, 'lost')).to.equal('unreachable');
    expect(asked).to.be.at.most(2);
  });

  it('is given up in time, also if the clock is set back', async () => {
    const before = Date.now();
    let asked = 0;
    const clock = mock.method(Date, 'now', () => (asked === 0 ? before : before - 3_600_000));
    own.database.read = () => {
      if (++asked > 2) clock.mock.restore();
      return Promise.reject(new Error('no primary'));
    };
    expect(await outcome(0, 'lost')).to.equal('unreachable');
    clock.mock.restore();
    expect(asked).to.be.at.most(2);
  });
});
