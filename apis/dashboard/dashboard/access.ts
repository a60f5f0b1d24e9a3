import type { KindAccess } from '../../access.js';

const READ = ['dashboards:read'];
const CREATE = 'dashboards:create';
const WRITE = ['dashboards:write', 'dashboards:delete'];
const PERMISSIONS = ['dashboards.permissions:read', 'dashboards.permissions:write'];

export const access: KindAccess = {
  members: {
    Viewer: { 'dashboards:*': READ },
    Editor: { 'folders:*': [CREATE], 'dashboards:*': WRITE },
    Admin: { 'dashboards:*': PERMISSIONS },
  },
  inFolders: { View: READ, Edit: [CREATE, ...WRITE], Admin: PERMISSIONS },
  onDashboards: { View: READ, Edit: WRITE, Admin: PERMISSIONS },
};
