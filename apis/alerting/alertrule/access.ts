import type { KindAccess } from '../../access.js';

const READ = ['alert.rules:read'];
const WRITE = ['alert.rules:create', 'alert.rules:write', 'alert.rules:delete'];

export const access: KindAccess = {
  members: { Viewer: { 'folders:*': READ }, Editor: { 'folders:*': WRITE } },
  inFolders: { View: READ, Edit: WRITE },
};
