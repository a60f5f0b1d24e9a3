import { ENVIRONMENT } from '../harness/server.js';
import { kindSuite } from './kind-suite.js';
import { noteExamples } from './note/examples.js';
import { note } from './note/kind.js';

kindSuite(note(ENVIRONMENT), noteExamples, { moreKinds: (environment) => [note(environment)] });
