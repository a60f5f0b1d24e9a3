import type { LdapServer } from './config.js';
import type { LdapGuard } from './connection.js';

/** The directories of a provider that is on. */
export interface LdapDirectories {
  readonly servers: readonly LdapServer[];
  /** Leaves the roles of people as they are, and lets everybody sign in. */
  readonly skipsRoles: boolean;
  readonly guard: LdapGuard;
}

export interface LdapProvider extends LdapDirectories {
  readonly allowSignUp: boolean;
  /** When people are synchronized, as a cron expression. Undefined: they are not. */
  readonly schedule: string | undefined;
  /** Why nobody can sign in by it at the moment, for the log. */
  readonly problem: string | undefined;
}

/** The directories as they are set up now; undefined if they are off. */
export type LdapProviders = () => LdapProvider | undefined;
