import type { KindFolder } from '../../kind-folder.js';
import { syncRecord as kind } from './kind.js';

export const syncRecord: KindFolder = {
  kinds: [kind],
};
