import type { KindAccess } from '../../access.js';

const READ = ['annotations:read'];
const WRITE = ['annotations:create', 'annotations:write', 'annotations:delete'];

export const access: KindAccess = {
  members: { Viewer: { 'annotations:*': READ }, Editor: { 'annotations:*': WRITE } },
  inFolders: { View: READ, Edit: WRITE },
  onDashboards: { View: READ, Edit: WRITE },
};
