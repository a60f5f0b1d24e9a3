// biome-ignore lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { sharedMongodb } from '../../hack/mongod/shared.js';
import { engineSuite } from '../testing/engine-suite.js';
import { openOnLmdb, openOnMemory, openOnMongodb } from '../testing/openers.js';

/** `STORAGE=memory,lmdb,mongodb` selects the stores. */
const wanted = process.env['STORAGE']?.split(',');
const isWanted = (name: string): boolean => wanted === undefined || wanted.includes(name);

if (isWanted('memory')) {
  engineSuite('memory', () => openOnMemory(false), { runs: 20 });
  engineSuite('memory shared by several servers', () => openOnMemory(true), { runs: 20 });
  engineSuite('memory, with tables', () => openOnMemory(false), { runs: 8, tables: true });
  engineSuite('memory shared by several servers, with tables', () => openOnMemory(true), { runs: 8, tables: true });
}
if (isWanted('lmdb')) {
  engineSuite('lmdb', openOnLmdb, { runs: 6 });
  engineSuite('lmdb, with tables', openOnLmdb, { runs: 4, tables: true });
}
if (isWanted('mongodb')) {
  describe('mongodb', function () {
    this.timeout(120_000);
    let uri = '';
    before(async function () {
      uri = await sharedMongodb(this);
    });
    engineSuite('mongodb', () => openOnMongodb(uri), { runs: 4, timeout: 120_000 });
  });
}
