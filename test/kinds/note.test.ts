import { ENVIRONMENT } from '../harness/server.js';
import { kindSuite } from './kind-suite.js';
import { dependents } from './note/dependents.js';
import { noteExamples } from './note/examples.js';
import { indexes } from './note/indexes.js';
import { note } from './note/kind.js';
import { permissions } from './note/permissions.js';
import { purge } from './note/purge.js';
import { revisions } from './note/revisions.js';

kindSuite(note(ENVIRONMENT), noteExamples, {
  moreKinds: (environment) => [note(environment)],
  more: [revisions, permissions, dependents, indexes, purge],
  onEveryStore: true,
});
