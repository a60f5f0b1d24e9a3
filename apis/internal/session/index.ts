import type { KindFolder } from '../../kind-folder.js';
import { session as kind } from './kind.js';

export const session: KindFolder = {
  kinds: [kind],
  secretFields: ['hash', 'previousHash'],
};
