import type { KindFolder } from '../../kind-folder.js';
import { service as kind } from './kind.js';

export const service: KindFolder = {
  kinds: [kind],
  order: 80,
};
