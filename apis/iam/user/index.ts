import type { KindFolder } from '../../kind-folder.js';
import { user as kind } from './kind.js';
import { userRouter } from './legacy/router.js';

export const user: KindFolder = {
  kinds: [kind],
  legacy: userRouter,
  // Also those of POST /login.
  secretFields: ['password', 'oldPassword', 'newPassword', 'confirmNew'],
  order: 50,
};
