import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { serviceAccount as kind } from './kind.js';
import { serviceAccountRouter } from './legacy/router.js';

export const serviceAccount: KindFolder = {
  kinds: [kind],
  access,
  legacy: serviceAccountRouter,
  // The answers of the routes of tokens, TokenRequest and TokenReview.
  secretFields: ['key', 'token'],
  order: 170,
};
