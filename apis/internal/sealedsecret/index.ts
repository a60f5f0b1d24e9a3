import type { KindFolder } from '../../kind-folder.js';
import { sealedSecret as kind } from './kind.js';

export const sealedSecret: KindFolder = {
  kinds: [kind],
};
