import { backendSuite } from '../testing/backend-suite.js';
import { openOnLmdb } from '../testing/openers.js';

backendSuite('lmdb', openOnLmdb);
