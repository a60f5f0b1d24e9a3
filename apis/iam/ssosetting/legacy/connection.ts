import { type ConnectionCheck, checkConnection } from '../../../../pkg/identity/signon/connection.js';
import { OAuthSettings, oauthType } from '../../../../pkg/identity/signon/settings.js';
import type { ProviderSettings } from '../providers.js';

/**
 * Checks whether people could sign in with the settings that apply, without a person. It also does so while the
 * provider is off.
 */
export async function connectionOf(
  { provider, values, reach, unreadable }: ProviderSettings,
  signal: AbortSignal,
): Promise<readonly ConnectionCheck[]> {
  const type = oauthType(provider);
  if (type === undefined) return [{ name: 'idpMetadataUrl', host: '', ok: false, message: NO_SAML }];
  const secrets = unreadable.map((name) => ({ name, host: '', ok: false, message: UNREADABLE }));
  return [...secrets, ...(await checkConnection({ type, settings: OAuthSettings.parse(values), reach }, signal))];
}

const NO_SAML = 'There is no sign-in by SAML yet, so nothing is asked.';
const UNREADABLE = 'It is stored, but cannot be decrypted with security.secret_key.';
