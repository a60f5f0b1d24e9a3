import type { KindFolder } from '../../kind-folder.js';
import { externalIdentity as kind } from './kind.js';

export const externalIdentity: KindFolder = {
  kinds: [kind],
};
