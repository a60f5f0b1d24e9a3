import type { KindAccess } from '../../access.js';

const READ = ['folders:read'];
const WRITE = ['folders:create', 'folders:write', 'folders:delete'];
const PERMISSIONS = ['folders.permissions:read', 'folders.permissions:write'];

export const access: KindAccess = {
  members: {
    Viewer: { 'folders:*': READ },
    Editor: { 'folders:*': WRITE },
    Admin: { 'folders:*': PERMISSIONS },
  },
  inFolders: { View: READ, Edit: WRITE, Admin: PERMISSIONS },
};
