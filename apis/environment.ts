import type { PasswordRules } from '../pkg/identity/authn/password-policy.js';
import type { OrganizationRole } from '../pkg/identity/signon/roles.js';
import type { SignOnValues } from '../pkg/identity/signon/values.js';
import type { KindEnvironment } from '../registry/kinds/kind.js';
import type { LegacyServices } from '../registry/legacy/call.js';
import type { BuiltInAccess } from './access.js';

/** The settings of the installation that kinds and adapters depend on. */
export interface ApisEnvironment extends AccessEnvironment, AccountEnvironment {
  readonly features: Features;
  /**
   * The setting `legacy.compatibility`: what the legacy API follows where its specification and existing clients
   * differ.
   */
  readonly compatibility: 'specification' | 'clients';
  /** The rules for new passwords. */
  readonly passwords: PasswordRules;
  /** Milliseconds: the setting `security.max_token_lifetime`. Absent: tokens of service accounts need not expire. */
  readonly maxTokenLifetime?: number;
  readonly signOn: SignOnEnvironment;
  /** Milliseconds: the setting `query_history.retention`. */
  readonly queryHistoryRetention: number;
  /** The setting `webhooks.networks`: the internal addresses that webhooks may have. Absent: none. */
  readonly webhookNetworks?: readonly string[];
  /** Milliseconds: the setting `webhooks.conversion_age`. Absent: 0. */
  readonly conversionAge?: number;
}

/** What rules about provisioned objects depend on. */
export interface ProvisioningEnvironment extends KindEnvironment {
  /** The settings of provisioning by SCIM. Absent: their defaults. */
  readonly scim?: ScimEnvironment;
}

/** What rules about accounts depend on. */
export interface AccountEnvironment extends ProvisioningEnvironment {
  /** The setting `security.max_organization_accounts`. Absent: its default. */
  readonly maxOrganizationAccounts?: number;
}

/** What rules about permissions depend on. */
export interface AccessEnvironment extends ProvisioningEnvironment {
  /** What the built-in roles may do with the objects of the kinds that are compiled in. */
  readonly access: BuiltInAccess;
}

/** What sign-on settings depend on. */
export interface SignOnEnvironment {
  /** The values in the sections `[auth.<provider>]` of the settings, by provider. */
  readonly configured: Readonly<Record<string, Partial<SignOnValues>>>;
  /** Reads the files that these settings name again. Throws an error for the operator. */
  readonly reload?: () => void;
  /** The setting `auth.provider_networks`: the internal addresses that stored providers may have. Absent: none. */
  readonly networks?: readonly string[];
  /** The setting `server.root_url`. */
  readonly rootUrl?: string | undefined;
  /** The server listens on loopback addresses only. */
  readonly isLocal?: boolean;
  /** `security.secret_key` as it is now. It may be rotated while the server runs. */
  secretKey(): string;
}

/** The section `[scim]` of the settings. */
export interface ScimEnvironment {
  /** What happens if people change by hand what SCIM keeps. */
  readonly manualChanges: 'allow' | 'warn' | 'refuse';
  readonly defaultRole: OrganizationRole;
  /** By the name of a group, folded. */
  readonly groupRoles: ReadonlyMap<string, OrganizationRole>;
  /** The setting `server.root_url`. */
  readonly rootUrl?: string | undefined;
}

/** The section `[features]` of the settings. */
export interface Features {
  readonly nestedFolders: boolean;
  readonly alerting: boolean;
  readonly queryHistory: boolean;
  readonly maxFolderDepth: number;
}

/**
 * A feature that operators may switch off. Its kinds then set `served: false`, and its routers are not in the legacy
 * API.
 */
export type Switch = 'nestedFolders' | 'alerting' | 'queryHistory';

/** The services of legacy routes that depend on settings. */
export interface ConfiguredServices extends LegacyServices {
  readonly environment: ApisEnvironment;
}
