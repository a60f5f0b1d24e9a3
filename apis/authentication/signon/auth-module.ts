import { signOnType } from '../../../pkg/identity/signon/keys.js';

const OAUTH = 'oauth_';
const SAML = 'auth.';

/** The text in a session that names the provider by which its user signed in: `oauth_github`, `auth.saml`. */
export const authModuleOf = (provider: string): string =>
  `${signOnType(provider) === 'saml' ? SAML : OAUTH}${provider}`;

/** The name of the provider; undefined if the user signed in otherwise. */
export function providerOfModule(module = ''): string | undefined {
  const prefix = [OAUTH, SAML].find((one) => module.startsWith(one));
  return prefix === undefined ? undefined : module.slice(prefix.length);
}
