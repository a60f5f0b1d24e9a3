import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { team as kind } from './kind.js';
import { teamRouter } from './legacy/router.js';

export const team: KindFolder = {
  kinds: [kind],
  access,
  legacy: teamRouter,
  order: 150,
};
