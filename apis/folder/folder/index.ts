import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { folder as kind } from './kind.js';
import { folderRouter } from './legacy/router.js';

export const folder: KindFolder = {
  kinds: [kind],
  access,
  legacy: folderRouter,
  order: 10,
};
