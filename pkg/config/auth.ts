import { z } from 'zod';
import { SIGN_ON_PROVIDERS } from '../identity/signon/keys.js';
import { unencrypted } from '../identity/signon/rules.js';
import { EMPTY_VALUES, snakeCase } from '../identity/signon/values.js';
import { isSafeUrl } from '../system/net/safe-url.js';
import { optional, setting } from './setting.js';
import { givenValues, SIGN_ON_SECTIONS } from './sign-on.js';
import { duration, flag, networks, text } from './values.js';

const session = z.strictObject({
  max_inactive: setting(duration(60_000), '7d', 'A session ends if it is not used for this time.'),
  max_lifetime: setting(duration(60_000), '30d', 'A session ends after this time even if it is used.'),
  rotate_after: setting(duration(60_000), '10m', 'Interval at which the secret in the session cookie changes.'),
});

const jwt = z.strictObject({
  issuer: optional(
    'Issuer (`iss`) of the JSON Web Tokens that are accepted as bearer tokens.',
    'no tokens are accepted',
  ),
  audience: optional('Audience (`aud`) that the tokens must have. Required with auth.jwt.issuer.', 'none'),
  jwks_url: optional(
    "URL of the issuer's JSON Web Key Set. It must be an HTTPS URL unless it is on this machine.",
    'auth.jwt.jwks_file',
  ),
  jwks_file: optional(
    "File with the issuer's JSON Web Key Set. It is read again when it changes.",
    'auth.jwt.jwks_url',
  ),
  clock_skew: setting(duration(0), '30s', "Maximum difference between the issuer's clock and the server's clock."),
  login_claim: setting(text().min(1, 'expected a claim'), 'sub', 'Claim with the login of the user.'),
  email_claim: optional(
    'Claim with the e-mail address of the user. It is used if there is no user with the login and the claim email_verified is true. It finds only addresses that a provider verified or an administrator of the server set.',
    'none',
  ),
});

/** The section `[auth]` of the settings: sessions, JSON Web Tokens, anonymous callers, and the providers of sign-on. */
export const auth = z.strictObject({
  session: session.prefault({}),
  jwt: jwt.prefault({}),
  anonymous: z
    .strictObject({ enabled: setting(flag(), 'false', 'Accepts callers without credentials as system:anonymous.') })
    .prefault({}),
  oauth_allow_insecure_email_lookup: setting(
    flag(),
    'false',
    'Lets people who sign in by a provider for the first time use the account with the same e-mail address, if the provider says that the address is verified, and the account has the address from a provider that verified it or from an administrator of the server. The password of the account is removed, and its sessions end. All providers must be trusted to verify addresses.',
  ),
  provider_networks: setting(
    networks(),
    '',
    'Internal addresses and networks (10.0.0.0/8) that sign-on providers may have whose addresses are stored through an API, separated by commas. Addresses on the internet need not be listed, nor those in the sections auth.<provider> of these settings. All others, such as those of this machine, are refused, because who sets up a provider could reach with them what only this server can reach.',
  ),
  ...SIGN_ON_SECTIONS,
});
type Auth = z.infer<typeof auth>;

/** Problems that involve more than one setting of the section. */
export function authProblems(settings: Auth): readonly string[] {
  return [...jwtProblems(settings.jwt), ...signOnProblems(settings)];
}

function jwtProblems({ issuer, audience, jwks_url: url, jwks_file: file }: Auth['jwt']): readonly string[] {
  const problems: string[] = [];
  if (issuer === undefined) {
    if ((audience ?? url ?? file) !== undefined) problems.push('auth.jwt.* is set, so auth.jwt.issuer is needed.');
    return problems;
  }
  if (audience === undefined) {
    problems.push(
      'auth.jwt.issuer is set, so auth.jwt.audience is needed: without it, tokens for any application would be accepted.',
    );
  }
  if ((url === undefined) === (file === undefined)) {
    problems.push('auth.jwt.issuer is set, so either auth.jwt.jwks_url or auth.jwt.jwks_file is needed, but not both.');
  }
  // An attacker could replace keys that are fetched without encryption.
  if (url !== undefined && !isSafeUrl(url)) {
    problems.push('auth.jwt.jwks_url must be an https:// URL, or an http:// URL on this machine.');
  }
  return problems;
}

function signOnProblems(sections: Auth): readonly string[] {
  return SIGN_ON_PROVIDERS.flatMap((provider) =>
    unencrypted(givenValues(sections[provider]), EMPTY_VALUES).map(
      ({ key, message }) => `auth.${provider}.${snakeCase(key)}: ${message}`,
    ),
  );
}
