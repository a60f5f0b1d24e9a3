import type { SessionLimits } from '../../apis/authentication/sessions.js';
import type { ApisEnvironment } from '../../apis/environment.js';
import type { PasswordRules } from '../../pkg/authn/password-policy.js';
import type { Settings } from '../../pkg/config/schema.js';

export function environmentOf({ api, features, legacy, security }: Settings): ApisEnvironment {
  return {
    domain: api.domain,
    features: {
      nestedFolders: features.nested_folders,
      alerting: features.alerting,
      queryHistory: features.query_history,
      maxFolderDepth: features.max_folder_depth,
    },
    compatibility: legacy.compatibility,
    passwords: passwordRules(security),
    ...(security.max_token_lifetime !== undefined && { maxTokenLifetime: security.max_token_lifetime }),
  };
}

export function passwordRules(security: Settings['security']): PasswordRules {
  return { minLength: security.min_password_length, refusesCommon: security.refuse_common_passwords };
}

export function sessionLimits({ auth }: Pick<Settings, 'auth'>): SessionLimits {
  const { max_inactive: maxInactive, max_lifetime: maxLifetime, rotate_after: rotateAfter } = auth.session;
  return { maxInactive, maxLifetime, rotateAfter };
}
