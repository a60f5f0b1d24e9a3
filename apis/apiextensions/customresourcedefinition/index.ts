import type { KindFolder } from '../../kind-folder.js';
import { customResourceDefinition as kind } from './kind.js';

export const customResourceDefinition: KindFolder = {
  kinds: [kind],
  order: 1000,
};
