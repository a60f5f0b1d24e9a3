import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { organizationBinding as kind } from './kind.js';

export const organizationBinding: KindFolder = {
  kinds: [kind],
  access,
  order: 140,
};
