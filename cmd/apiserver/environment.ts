import type { SessionLimits } from '../../apis/authentication/sessions.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { KindEnvironment } from '../../registry/kind.js';

export function environmentOf({ api, features }: Settings): KindEnvironment {
  return {
    domain: api.domain,
    features: {
      nestedFolders: features.nested_folders,
      alerting: features.alerting,
      queryHistory: features.query_history,
      maxFolderDepth: features.max_folder_depth,
    },
  };
}

export function sessionLimits({ auth }: Pick<Settings, 'auth'>): SessionLimits {
  const { max_inactive: maxInactive, max_lifetime: maxLifetime, rotate_after: rotateAfter } = auth.session;
  return { maxInactive, maxLifetime, rotateAfter };
}
