import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { libraryElement as kind } from './kind.js';
import { libraryElementRouter } from './legacy/router.js';

export const libraryElement: KindFolder = {
  kinds: [kind],
  access,
  legacy: libraryElementRouter,
  order: 40,
};
