import type { KindFolder } from '../../kind-folder.js';
import { lastSeen as kind } from './kind.js';

export const lastSeen: KindFolder = {
  kinds: [kind],
};
