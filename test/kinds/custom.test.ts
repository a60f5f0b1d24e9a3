import { custom, customKind } from './custom-examples.js';
import { kindSuite } from './kind-suite.js';

/** A kind that a definition defines behaves as those that are compiled in. */
kindSuite(customKind(), custom, { onEveryStore: true });
