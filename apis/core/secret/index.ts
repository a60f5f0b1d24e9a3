import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { secret as kind } from './kind.js';

export const secret: KindFolder = {
  kinds: [kind],
  access,
  secretFields: ['data', 'stringData', 'binaryData'],
  order: 90,
};
