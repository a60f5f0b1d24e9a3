import type { KindFolder } from '../../kind-folder.js';
import { mirrorRecord as kind } from './kind.js';

export const mirrorRecord: KindFolder = {
  kinds: [kind],
};
