import type { KindFolder } from '../../kind-folder.js';
import { credential as kind } from './kind.js';

export const credential: KindFolder = {
  kinds: [kind],
  secretFields: ['hash'],
};
