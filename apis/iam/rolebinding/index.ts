import type { KindFolder } from '../../kind-folder.js';
import { roleBinding as kind } from './kind.js';

export const roleBinding: KindFolder = {
  kinds: [kind],
  order: 190,
};
