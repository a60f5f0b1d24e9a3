import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { preferences as kind } from './kind.js';
import { preferencesRouter } from './legacy/router.js';

export const preferences: KindFolder = {
  kinds: [kind],
  access,
  legacy: preferencesRouter,
  order: 210,
};
