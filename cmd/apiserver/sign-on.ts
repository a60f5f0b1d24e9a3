import type { Directory } from '../../apis/authentication/directory.js';
import type { IdentityServices } from '../../apis/authentication/services.js';
import type { SignOnAccounts } from '../../apis/authentication/signon/accounts.js';
import { signOnRoute } from '../../apis/authentication/signon/router.js';
import type { ProviderSettings, SignOnProviders } from '../../apis/iam/ssosetting/providers.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { RouteHandler } from '../../pkg/http/router.js';
import type { OnFailedSignIn } from '../../pkg/identity/authn/failed-sign-ins.js';
import type { Sealer } from '../../pkg/identity/crypto/seal.js';
import type { LdapProviders } from '../../pkg/identity/ldap/provider.js';
import {
  type OAuthProvider,
  type OAuthProviders,
  OAuthSettings,
  oauthType,
} from '../../pkg/identity/signon/settings.js';
import type { Accounts } from './accounts.js';

export interface SignOnSources {
  readonly providers: OAuthProviders;
  /** Absent: nobody signs in by a directory. */
  readonly ldap?: LdapProviders;
  /** Seals with `security.secret_key`, which may be rotated while the server runs. */
  readonly sealer: () => Promise<Sealer>;
  /** Milliseconds for all requests of one sign-in to its provider, if not the default. */
  readonly patience?: number;
}

interface SignOnParts {
  readonly settings: Pick<Settings, 'server'>;
  readonly services: IdentityServices;
  readonly people: SignOnAccounts;
  readonly signOn: SignOnSources;
  readonly warn: (message: string) => void;
  readonly onFailedSignIn?: OnFailedSignIn;
}

/** The providers, and the route that signs people in. */
export function signOnOf(
  { settings, services, people: accounts, signOn, warn, onFailedSignIn: onFailed }: SignOnParts,
  { sessions, cookies }: Accounts,
  users: Directory,
): { readonly providers: OAuthProviders; readonly signOn: RouteHandler } {
  const rootUrl = settings.server.root_url;
  const route = signOnRoute({
    ...signOn,
    accounts,
    users,
    sessions,
    cookies,
    services,
    rootUrl,
    warn,
    ...(onFailed && { onFailed }),
  });
  return { providers: signOn.providers, signOn: route };
}

const UNREADABLE = 'its secrets cannot be decrypted with security.secret_key';

/** The providers by which people can sign in. Their settings are read again only when they have changed. */
export function oauthProviders(stored: SignOnProviders): OAuthProviders {
  const known = new WeakMap<ProviderSettings, OAuthProvider>();
  const providerOf = (providerSettings: ProviderSettings): OAuthProvider | undefined => {
    const { provider: name, values, reach, unreadable } = providerSettings;
    const type = oauthType(name);
    if (type === undefined || !values.enabled) return undefined;
    const made = known.get(providerSettings);
    if (made !== undefined) return made;
    const settings = OAuthSettings.parse(values);
    const provider = { name, type, settings, reach, ...(unreadable.length > 0 && { problem: UNREADABLE }) };
    known.set(providerSettings, provider);
    return provider;
  };
  return {
    get: (name) => {
      const known = stored.get(name);
      return known && providerOf(known);
    },
    enabled: () => stored.enabled().flatMap((found) => providerOf(found) ?? []),
  };
}
