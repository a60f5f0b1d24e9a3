import type { SessionLimits } from '../../apis/authentication/sessions.js';
import type { ApisEnvironment } from '../../apis/environment.js';
import { ACCESS } from '../../apis/kinds.js';
import type { Settings } from '../../pkg/config/schema.js';
import { givenValues } from '../../pkg/config/sign-on.js';
import type { PasswordRules } from '../../pkg/identity/authn/password-policy.js';
import { SIGN_ON_PROVIDERS } from '../../pkg/identity/signon/keys.js';
import { fold } from '../../pkg/kube/meta/fold.js';
import type { Retention } from '../../registry/kinds/retention.js';
import { ldapFile } from './ldap-file.js';
import { isLoopbackOnly } from './loopback.js';
import { secretKeyNow } from './secret-key.js';

export function environmentOf(settings: Settings): ApisEnvironment {
  const configured = SIGN_ON_PROVIDERS.map((provider) => [provider, givenValues(settings.auth[provider])]);
  const ldap = ldapFile(settings.auth.ldap);
  const { api, auth, features, legacy, query_history: queryHistory, scim, security, server, webhooks } = settings;
  return {
    domain: api.domain,
    access: ACCESS,
    features: {
      nestedFolders: features.nested_folders,
      alerting: features.alerting,
      queryHistory: features.query_history,
      maxFolderDepth: features.max_folder_depth,
    },
    compatibility: legacy.compatibility,
    scim: {
      manualChanges: scim.manual_changes,
      defaultRole: scim.default_role,
      groupRoles: new Map(scim.group_roles.map(({ group, role }) => [fold(group), role])),
      rootUrl: server.root_url,
    },
    passwords: passwordRules(security),
    maxOrganizationAccounts: security.max_organization_accounts,
    ...(security.max_token_lifetime !== undefined && { maxTokenLifetime: security.max_token_lifetime }),
    queryHistoryRetention: queryHistory.retention,
    webhookNetworks: webhooks.networks,
    conversionAge: webhooks.conversion_age,
    signOn: {
      configured: {
        ...Object.fromEntries(configured),
        get ldap() {
          return ldap.values();
        },
      },
      reload: ldap.reload,
      networks: auth.provider_networks,
      rootUrl: server.root_url,
      isLocal: isLoopbackOnly(settings),
      secretKey: () => secretKeyNow(settings),
    },
  };
}

/** The same for a server that is to serve: the files that the settings name must be right. Throws ConfigError. */
export function servingEnvironment(settings: Settings): ApisEnvironment {
  const environment = environmentOf(settings);
  environment.signOn.reload?.();
  return environment;
}

export function passwordRules(security: Settings['security']): PasswordRules {
  return { minLength: security.min_password_length, refusesCommon: security.refuse_common_passwords };
}

export function sessionLimits({ auth }: Pick<Settings, 'auth'>): SessionLimits {
  const { max_inactive: maxInactive, max_lifetime: maxLifetime, rotate_after: rotateAfter } = auth.session;
  return { maxInactive, maxLifetime, rotateAfter };
}

export function retentionOf({ history }: Pick<Settings, 'history'>): Retention {
  const { versions, trash, max_trash_objects: maxObjects, max_trash_size: maxBytes } = history;
  return { versions, trash, maxObjects, maxBytes };
}
