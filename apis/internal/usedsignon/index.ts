import type { KindFolder } from '../../kind-folder.js';
import { usedSignOn as kind } from './kind.js';

export const usedSignOn: KindFolder = {
  kinds: [kind],
};
