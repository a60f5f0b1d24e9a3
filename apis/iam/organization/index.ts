import type { KindFolder } from '../../kind-folder.js';
import { organization as kind } from './kind.js';
import { organizationRouter } from './legacy/router.js';

export const organization: KindFolder = {
  kinds: [kind],
  legacy: organizationRouter,
  order: 60,
};
