import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { annotation as kind } from './kind.js';
import { annotationRouter } from './legacy/router.js';

export const annotation: KindFolder = {
  kinds: [kind],
  access,
  legacy: annotationRouter,
  order: 240,
};
