import type { KindFolder } from '../../kind-folder.js';
import { token as kind } from './kind.js';

export const token: KindFolder = {
  kinds: [kind],
  secretFields: ['hash'],
};
