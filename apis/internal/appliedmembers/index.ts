import type { KindFolder } from '../../kind-folder.js';
import { appliedMembers as kind } from './kind.js';

export const appliedMembers: KindFolder = {
  kinds: [kind],
};
