import type { KindFolder } from '../../kind-folder.js';
import { dataKey as kind } from './kind.js';

export const dataKey: KindFolder = {
  kinds: [kind],
};
