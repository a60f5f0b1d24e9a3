import type { KindFolder } from '../../../apis/kind-folder.js';
import { access } from './access.js';
import { playlist as kind } from './kind.js';
import { playlistRouter } from './legacy/router.js';

export const playlist: KindFolder = {
  kinds: [kind],
  access,
  legacy: playlistRouter,
  secretFields: ['shareToken'],
};
