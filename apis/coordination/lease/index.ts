import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { lease as kind } from './kind.js';

export const lease: KindFolder = {
  kinds: [kind],
  access,
  order: 110,
};
