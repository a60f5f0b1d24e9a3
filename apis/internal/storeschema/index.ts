import type { KindFolder } from '../../kind-folder.js';
import { storeSchema as kind } from './kind.js';

export const storeSchema: KindFolder = {
  kinds: [kind],
};
