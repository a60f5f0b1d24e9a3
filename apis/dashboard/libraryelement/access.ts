import type { KindAccess } from '../../access.js';

const READ = ['library.panels:read'];
const WRITE = ['library.panels:create', 'library.panels:write', 'library.panels:delete'];

export const access: KindAccess = {
  members: { Viewer: { 'folders:*': READ }, Editor: { 'folders:*': WRITE } },
  inFolders: { View: READ, Edit: WRITE },
};
