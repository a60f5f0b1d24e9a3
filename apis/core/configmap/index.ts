import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { configMap as kind } from './kind.js';

export const configMap: KindFolder = {
  kinds: [kind],
  access,
  secretFields: ['data', 'stringData', 'binaryData'],
  order: 100,
};
