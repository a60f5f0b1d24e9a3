import type { KindFolder } from '../../kind-folder.js';
import { signingKey as kind } from './kind.js';

export const signingKey: KindFolder = {
  kinds: [kind],
  secretFields: ['privateKey'],
};
