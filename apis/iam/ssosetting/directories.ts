import { ldapServer } from '../../../pkg/identity/ldap/config.js';
import type { LdapProvider, LdapProviders } from '../../../pkg/identity/ldap/provider.js';
import type { ProviderSettings, SignOnProviders } from './providers.js';

const UNREADABLE = 'its secrets cannot be decrypted with security.secret_key';

/** The directories by which people can sign in. They are the same objects until their settings change. */
export function ldapProviders(stored: SignOnProviders): LdapProviders {
  const known = new WeakMap<ProviderSettings, LdapProvider>();
  return () => {
    const settings = stored.get('ldap');
    if (settings?.values.enabled !== true) return undefined;
    const provider = known.get(settings) ?? directoriesOf(settings);
    known.set(settings, provider);
    return provider;
  };
}

/** The directories of settings, also while they are off. */
export function directoriesOf({ values, reach, unreadable }: ProviderSettings): LdapProvider {
  const { config, skipOrgRoleSync, allowSignUp, activeSyncEnabled, syncCron } = values;
  return {
    servers: config.servers.map(ldapServer),
    skipsRoles: skipOrgRoleSync,
    guard: reach.ofOperator.has('config') ? undefined : reach.guard,
    allowSignUp,
    schedule: activeSyncEnabled ? syncCron : undefined,
    problem: unreadable.length > 0 ? UNREADABLE : config.servers.length === 0 ? 'no server is set' : undefined,
  };
}
