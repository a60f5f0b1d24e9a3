import type { AuditNotes } from '../../../pkg/http/audit/notes.js';
import { Shares } from '../../../pkg/http/flowcontrol/shares.js';
import { directoryAway, signInRefused } from '../../../pkg/identity/authn/errors.js';
import type { ExternalPasswords, PasswordAccount } from '../../../pkg/identity/authn/password-check.js';
import { DirectoryError } from '../../../pkg/identity/ldap/connection.js';
import type { LdapProvider, LdapProviders } from '../../../pkg/identity/ldap/provider.js';
import { LdapSignIns } from '../../../pkg/identity/ldap/sign-in.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import type { Person } from '../../../pkg/identity/signon/person.js';
import { seldom } from '../../../pkg/system/log/seldom.js';
import { addressKey } from '../../../pkg/system/net/address.js';
import type { Directory } from '../directory.js';
import { ldapAccountOf } from '../passwords.js';
import type { IdentityServices } from '../services.js';
import type { SignOn, SignOnAccounts } from '../signon/accounts.js';

/** The name of the provider. What identifies people holds for all its servers, which may be copies of each other. */
export const LDAP = 'ldap';

/** Sign-ins that wait for a directory. One address gets at most half of them. */
const MOST_AT_ONCE = 32;

export interface LdapPasswordOptions {
  readonly providers: LdapProviders;
  readonly accounts: SignOnAccounts;
  readonly users: Directory;
  readonly services: IdentityServices;
  readonly warn: (message: string) => void;
}

/** Checks passwords with the directory, and keeps the users of its people. */
export function ldapPasswords(options: LdapPasswordOptions): ExternalPasswords {
  const { providers, accounts, users, services } = options;
  const warn = seldom(options.warn, services.now);
  const signIns = new LdapSignIns(services.now);
  const running = new Shares(MOST_AT_ONCE);
  return async ({ login, password, address }, notes) => {
    const provider = providers();
    if (provider === undefined) return undefined;
    const key = addressKey(address);
    if (!running.take(key)) throw directoryAway();
    try {
      if (provider.problem !== undefined) throw new DirectoryError(provider.problem, undefined);
      const person = await signIns.authenticate(provider, { login, password });
      if (person === undefined) return undefined;
      const uid = await accounts.signIn(signOnOf(person, provider, services.now(), notes as AuditNotes | undefined));
      return accountOf(uid);
    } catch (error) {
      throw refusalOf(error, warn);
    } finally {
      running.give(key);
    }
  };

  function accountOf(uid: string): PasswordAccount {
    const account = ldapAccountOf(services, users, uid);
    if (account === undefined) throw new SignOnFailure('not_allowed', 'the user is disabled or deleted');
    // While the directories are off, nobody is signed in by them.
    return { ...account, current: () => (providers() === undefined ? undefined : account.current?.()) };
  }
}

/** What the directory says about a person, for the accounts. */
export function signOnOf(person: Person, provider: LdapProvider, now: number, audit: AuditNotes | undefined): SignOn {
  return {
    person,
    provider: LDAP,
    issuer: LDAP,
    allowSignUp: provider.allowSignUp,
    allowAssignGrafanaAdmin: true,
    skipOrgRoleSync: provider.skipsRoles,
    now,
    audit,
  };
}

/** Failures that an operator can repair. */
const WARNED: ReadonlySet<string> = new Set(['settings', 'provider', 'taken']);

function refusalOf(error: unknown, warn: (message: string) => void): unknown {
  if (error instanceof DirectoryError) {
    const from = error.host === undefined ? '' : ` by ${error.host}`;
    warn(`A sign-in by LDAP${from} failed: ${error.message.slice(0, 500)}`);
    return directoryAway();
  }
  if (!(error instanceof SignOnFailure)) return error;
  if (WARNED.has(error.code)) warn(`A sign-in by LDAP failed: ${error.message.slice(0, 500)}`);
  return signInRefused(error.code);
}
