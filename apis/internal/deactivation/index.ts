import type { KindFolder } from '../../kind-folder.js';
import { deactivation as kind } from './kind.js';

export const deactivation: KindFolder = {
  kinds: [kind],
};
