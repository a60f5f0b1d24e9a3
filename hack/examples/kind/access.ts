import type { KindAccess } from '../../../apis/access.js';

export const access: KindAccess = {
  members: {
    Viewer: { 'playlists:*': ['playlists:read'] },
    Editor: { 'playlists:*': ['playlists:create', 'playlists:write', 'playlists:delete'] },
  },
};
