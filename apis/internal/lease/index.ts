import type { KindFolder } from '../../kind-folder.js';
import { serverLease as kind } from './kind.js';

export const serverLease: KindFolder = {
  kinds: [kind],
};
