import { expect } from 'chai';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { failureOf, using } from '../testing/transfer/fixture.js';
import { objectDocument } from './documents.js';
import { openMongodbRepair } from './repair.js';

const RESOURCE = 'notes.tests.svc.app';
const object = created(1, 'a', { rows: [{ index: 'byTag', tuple: 'sa!', counted: 'sa!' }] });

describe('a MongoDB that is repaired', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let place: { readonly uri: string; readonly database: string };
  beforeEach(async function () {
    own = await ownDatabase(this);
    place = { uri: own.uri, database: own.name };
  });
  afterEach(() => own.close());

  it('tells servers again which resources have rows', async () => {
    await own.db.collection<{ _id: string }>(RESOURCE).insertOne(objectDocument(object, '{}'));
    const indexed = async () => (await own.database.log.findOne({ _id: 'log' }))?.indexed;
    expect(await indexed()).to.deep.equal([]);
    await using(openMongodbRepair(place), (repair) => repair.reindex());
    expect(await indexed()).to.deep.equal([RESOURCE]);
  });

  it('is unavailable once it is closed', async () => {
    const repair = await openMongodbRepair(place);
    await repair.close();
    const held = { key: object.key, revision: 1, value: Buffer.from('{}'), rows: [] };
    for (const call of [() => repair.put([held]), () => repair.reindex()]) {
      expect(await failureOf(call())).to.include('MongoDB is unavailable: ');
    }
  });
});
