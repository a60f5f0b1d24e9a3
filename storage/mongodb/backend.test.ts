// biome-ignore lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { sharedMongodb } from '../../hack/mongod/shared.js';
import { backendSuite } from '../testing/backend-suite.js';
import { openOnMongodb } from '../testing/openers.js';

describe('mongodb', function () {
  this.timeout(120_000);
  let uri = '';
  before(async function () {
    uri = await sharedMongodb(this);
  });

  backendSuite('mongodb', () => openOnMongodb(uri), { runs: 4 });
});
