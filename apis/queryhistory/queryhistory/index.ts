import type { KindFolder } from '../../kind-folder.js';
import { queryHistory as kind } from './kind.js';
import { queryHistoryRouter } from './legacy/router.js';

export const queryHistory: KindFolder = {
  kinds: [kind],
  legacy: queryHistoryRouter,
  feature: 'queryHistory',
  order: 230,
};
