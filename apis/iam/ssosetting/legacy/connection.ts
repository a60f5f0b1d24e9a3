import { checkDirectories, type DirectoryCheck } from '../../../../pkg/identity/ldap/check.js';
import { checkSamlConnection } from '../../../../pkg/identity/saml/connection.js';
import { NO_ROOT_URL, type RootUrlSettings } from '../../../../pkg/identity/saml/root-url.js';
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
  environment: RootUrlSettings,
  signal: AbortSignal,
  now: number,
): Promise<readonly (ConnectionCheck | DirectoryCheck)[]> {
  const { provider, values, reach, unreadable } = settings;
  const secrets = unreadable.map((name) => ({ name, host: '', ok: false, message: UNREADABLE }));
  if (signOnType(provider) === 'saml') {
    const own = environment.rootUrl === undefined && environment.isLocal !== true ? [WITHOUT_ROOT_URL] : [];
    const checks = await checkSamlConnection({ settings: SamlSettings.parse(values), reach }, signal, now);
    return [...secrets, ...own, ...checks];
  }
  const type = oauthType(provider);
  if (type === undefined) {
    const { servers, guard } = directoriesOf(settings);
    return [...secrets, ...(await checkDirectories(servers, guard, signal))];
  }
  return [...secrets, ...(await checkConnection({ type, settings: OAuthSettings.parse(values), reach }, signal))];
}

const WITHOUT_ROOT_URL = { name: 'rootUrl', host: '', ok: false, message: `${NO_ROOT_URL}.` };
const UNREADABLE = 'It is stored, but cannot be decrypted with security.secret_key.';
