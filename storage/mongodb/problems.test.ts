import { expect } from 'chai';
import { keyOf } from '../key.js';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { problemsOf, using } from '../testing/transfer/fixture.js';
import { openMongodbSnapshot } from './snapshot.js';

const RESOURCE = 'notes.tests.svc.app';
const row = (tag: string) => ({ index: 'byTag', tuple: `s${tag}!`, counted: `s${tag}!` });

describe('the check of the indexes of MongoDB', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  beforeEach(async function () {
    own = await ownDatabase(this);
    const server = await own.open();
    const changes = [
      created(1, 'a', { rows: [row('x'), row('y')] }),
      created(2, 'b', { rows: [row('x')] }),
      created(3),
      { ...created(4), key: keyOf('things.tests.svc.app', '', 'without-rows') },
    ];
    await server.append(0, { commit: 'c', changes, counters: new Map() });
  });
  afterEach(() => own.close());

  const snapshot = () => openMongodbSnapshot({ uri: own.uri, database: own.name });
  const problems = () => using(snapshot(), problemsOf);
  const of = (part: string) => own.db.collection<{ _id: string }>(`${RESOURCE}:${part}`);

  it('finds rows that are missing or too many, and counts that are wrong, missing or too many', async () => {
    expect(await problems()).to.deep.equal([]);
    const { key } = created(1, 'a');
    await of('rows').deleteOne({ _id: `byTag sy! ${key}` });
    expect(await problems()).to.deep.equal([`the row byTag sy! ${key} of ${RESOURCE} is missing`]);
    await of('rows').insertMany([{ _id: `byTag sy! ${key}` }, { _id: 'other' }]);
    expect(await problems()).to.deep.equal([`${RESOURCE} has 1 index rows more than its objects`]);
    await of('rows').deleteOne({ _id: 'other' });
    await of('counts').updateOne({ _id: 'byTag sx!' }, { $set: { count: 3 } });
    await of('counts').deleteOne({ _id: 'byTag sy!' });
    await of('counts').insertOne({ _id: 'byTag sz!', count: 1 } as never);
    expect([...(await problems())].sort()).to.deep.equal([
      `the count of byTag sx! of ${RESOURCE} is 3, not 2`,
      `the count of byTag sy! of ${RESOURCE} is 0, not 1`,
      `the count of byTag sz! of ${RESOURCE} is 1, not 0`,
    ]);
  });

  it('finds nothing of what is written after the snapshot began', async () => {
    await using(snapshot(), async (open) => {
      await own.db.collection(RESOURCE).deleteMany({});
      await of('rows').deleteMany({});
      expect(await problemsOf(open)).to.deep.equal([]);
    });
  });
});
