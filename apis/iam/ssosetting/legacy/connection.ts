import { checkDirectories, type DirectoryCheck } from '../../../../pkg/identity/ldap/check.js';
import { checkSamlConnection } from '../../../../pkg/identity/saml/connection.js';
import { SamlSettings } from '../../../../pkg/identity/saml/settings.js';
import { type ConnectionCheck, checkConnection } from '../../../../pkg/identity/signon/connection.js';
import { signOnType } from '../../../../pkg/identity/signon/keys.js';
import { OAuthSettings, oauthType } from '../../../../pkg/identity/signon/settings.js';
import { directoriesOf } from '../directories.js';
import type { ProviderSettings } from '../providers.js';

/**
 * Checks whether people could sign in with the settings that apply, without a person. It also does so while the
 * provider is off.
 */
export async function connectionOf(
  settings: ProviderSettings,
  signal: AbortSignal,
  now: number,
): Promise<readonly (ConnectionCheck | DirectoryCheck)[]> {
  const { provider, values, reach, unreadable } = settings;
  const secrets = unreadable.map((name) => ({ name, host: '', ok: false, message: UNREADABLE }));
  if (signOnType(provider) === 'saml') {
    return [...secrets, ...(await checkSamlConnection({ settings: SamlSettings.parse(values), reach }, signal, now))];
  }
  const type = oauthType(provider);
  if (type === undefined) {
    const { servers, guard } = directoriesOf(settings);
    return [...secrets, ...(await checkDirectories(servers, guard, signal))];
  }
  return [...secrets, ...(await checkConnection({ type, settings: OAuthSettings.parse(values), reach }, signal))];
}

const UNREADABLE = 'It is stored, but cannot be decrypted with security.secret_key.';
