import { expect } from 'chai';
import { created, type OwnDatabase, ownDatabase } from '../testing/mongodb.js';
import { openMongodbSnapshot } from './snapshot.js';

describe('a snapshot of a database', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  beforeEach(async function () {
    own = await ownDatabase(this);
  });
  afterEach(() => own.close());

  it('has the values of a commit that is too large for one document of the log', async () => {
    const server = await own.open();
    const value = Buffer.from(JSON.stringify({ text: 'x'.repeat(1.5 * 1024 * 1024) }));
    const changes = [1, 2, 3].map((revision) => created(revision, `n${revision}`, { value }));
    await server.append(0, { commit: 'large', changes, counters: new Map([['x', 1]]) });
    const snapshot = await openMongodbSnapshot({ uri: own.uri, database: own.name });
    const found: string[] = [];
    for await (const commits of snapshot.commits(0)) {
      for (const { end, changes, counters } of commits) {
        found.push(`${end} ${changes.map((change) => change.value?.byteLength)} ${[...counters]}`);
      }
    }
    expect(found).to.deep.equal([`3 ${[1, 2, 3].map(() => value.byteLength)} x,1`]);
    await snapshot.close();
  });
});
