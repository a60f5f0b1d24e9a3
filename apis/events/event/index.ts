import type { KindFolder } from '../../kind-folder.js';
import { access } from './access.js';
import { event as kind, newEvents } from './kind.js';

export const event: KindFolder = {
  kinds: [newEvents, kind],
  access,
  order: 120,
};
