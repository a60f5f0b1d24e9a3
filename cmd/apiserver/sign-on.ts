import type { Directory } from '../../apis/authentication/directory.js';
import type { IdentityServices } from '../../apis/authentication/services.js';
import type { SignOnAccounts } from '../../apis/authentication/signon/accounts.js';
import { SignOnAttempts } from '../../apis/authentication/signon/attempts.js';
import { signOnRoute } from '../../apis/authentication/signon/router.js';
import { SamlSigningOn } from '../../apis/authentication/signon/saml.js';
import { SamlLogout } from '../../apis/authentication/signon/saml-logout.js';
import { SamlMetadata } from '../../apis/authentication/signon/saml-metadata.js';
import type { SamlServices } from '../../apis/authentication/signon/saml-routes.js';
import type { SignOnOptions } from '../../apis/authentication/signon/sign-in.js';
import type { ProviderSettings, SignOnProviders } from '../../apis/iam/ssosetting/providers.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { RouteHandler } from '../../pkg/http/router.js';
import type { OnFailedSignIn } from '../../pkg/identity/authn/failed-sign-ins.js';
import type { Sealer } from '../../pkg/identity/crypto/seal.js';
import type { LdapProviders } from '../../pkg/identity/ldap/provider.js';
import { SamlSettings } from '../../pkg/identity/saml/settings.js';
import { signOnType } from '../../pkg/identity/signon/keys.js';
import type { EnabledProvider, EnabledProviders } from '../../pkg/identity/signon/providers.js';
import { OAuthSettings, oauthType } from '../../pkg/identity/signon/settings.js';
import { seldom } from '../../pkg/system/log/seldom.js';
import type { Accounts } from './accounts.js';
import { isLoopbackOnly } from './loopback.js';

export interface SignOnSources {
  readonly providers: EnabledProviders;
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
): { readonly providers: EnabledProviders; readonly signOn: RouteHandler; readonly saml: SamlServices } {
  const rootUrl = settings.server.root_url;
  const { now } = services;
  const options: SignOnOptions = {
    ...signOn,
    accounts,
    users,
    sessions,
    cookies,
    services,
    rootUrl,
    isLocal: isLoopbackOnly(settings),
    warn: seldom(warn, now),
    ...(onFailed && { onFailed }),
  };
  const attempts = new SignOnAttempts(now);
  const saml = new SamlSigningOn(options);
  return {
    providers: signOn.providers,
    signOn: signOnRoute(options, attempts, saml),
    saml: {
      options,
      attempts,
      signOn: saml,
      metadata: new SamlMetadata(options),
      logout: new SamlLogout(options, saml),
    },
  };
}

const UNREADABLE = 'its secrets cannot be decrypted with security.secret_key';

/** The providers by which people can sign in. Their settings are read again only when they have changed. */
export function enabledProviders(stored: SignOnProviders): EnabledProviders {
  const known = new WeakMap<ProviderSettings, EnabledProvider>();
  const providerOf = (settings: ProviderSettings): EnabledProvider | undefined => {
    const provider = known.get(settings) ?? parsed(settings);
    if (provider !== undefined) known.set(settings, provider);
    return provider;
  };
  const found = (name: string): EnabledProvider | undefined => {
    const settings = stored.get(name);
    return settings && providerOf(settings);
  };
  return {
    get: (name) => {
      const provider = found(name);
      return provider?.settings.enabled === true ? provider : undefined;
    },
    enabled: () => stored.enabled().flatMap((settings) => providerOf(settings) ?? []),
    saml: (name) => {
      const provider = found(name);
      return provider?.type === 'saml' ? provider : undefined;
    },
  };
}

function parsed({ provider: name, values, reach, unreadable }: ProviderSettings): EnabledProvider | undefined {
  const common = { name, reach, ...(unreadable.length > 0 && { problem: UNREADABLE }) };
  if (signOnType(name) === 'saml') return { ...common, type: 'saml', settings: SamlSettings.parse(values) };
  const type = oauthType(name);
  return type && { ...common, type, settings: OAuthSettings.parse(values) };
}
