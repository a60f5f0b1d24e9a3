import type { KindFolder } from '../../kind-folder.js';
import { stars as kind } from './kind.js';
import { starsRouter } from './legacy/router.js';

export const stars: KindFolder = {
  kinds: [kind],
  legacy: starsRouter,
  order: 220,
};
