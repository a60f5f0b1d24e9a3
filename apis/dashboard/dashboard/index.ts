import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { dashboard as kind } from './kind.js';
import { dashboardRouter } from './legacy/router.js';

export const dashboard: KindFolder = {
  kinds: [kind],
  access,
  legacy: dashboardRouter,
  order: 20,
};
