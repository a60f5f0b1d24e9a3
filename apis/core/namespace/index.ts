import type { KindFolder } from '../../kind-folder.js';
import { namespace as kind } from './kind.js';

export const namespace: KindFolder = {
  kinds: [kind],
  order: 70,
};
