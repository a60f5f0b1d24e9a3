import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { alertRule as kind } from './kind.js';
import { alertRuleRouter } from './legacy/router.js';

export const alertRule: KindFolder = {
  kinds: [kind],
  access,
  legacy: alertRuleRouter,
  feature: 'alerting',
  order: 30,
};
