import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { role as kind } from './kind.js';
import { roleRouter } from './legacy/router.js';

export const role: KindFolder = {
  kinds: [kind],
  access,
  legacy: roleRouter,
  order: 180,
};
