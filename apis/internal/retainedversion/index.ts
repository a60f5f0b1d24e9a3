import type { KindFolder } from '../../kind-folder.js';
import { retainedVersion as kind } from './kind.js';

export const retainedVersion: KindFolder = {
  kinds: [kind],
};
