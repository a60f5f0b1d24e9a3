import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { applySet as kind } from './kind.js';

export const applySet: KindFolder = {
  kinds: [kind],
  access,
  order: 250,
};
