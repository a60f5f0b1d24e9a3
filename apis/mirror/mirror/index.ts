import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { mirror as kind } from './kind.js';

export const mirror: KindFolder = {
  kinds: [kind],
  access,
  // A MirrorReview may have a token.
  secretFields: ['token'],
  order: 260,
};
