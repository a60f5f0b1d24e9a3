import type { KindFolder } from '../../kind-folder.js';
import { teamBinding as kind } from './kind.js';

export const teamBinding: KindFolder = {
  kinds: [kind],
  order: 160,
};
