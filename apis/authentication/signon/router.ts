import type { ApiResponse } from '../../../pkg/http/handler.js';
import type { RouteHandler } from '../../../pkg/http/router.js';
import { providerFetch } from '../../../pkg/identity/signon/client.js';
import { authorizationUrl, exchange, newSecrets } from '../../../pkg/identity/signon/flow.js';
import { signOnType } from '../../../pkg/identity/signon/keys.js';
import { checkState, type Pending } from '../../../pkg/identity/signon/pending.js';
import { askProvider } from '../../../pkg/identity/signon/profile.js';
import type { EnabledProvider } from '../../../pkg/identity/signon/providers.js';
import { type OAuthProvider, oauthType } from '../../../pkg/identity/signon/settings.js';
import { pathNotFound } from '../../../pkg/kube/status/errors.js';
import { checkMethod } from '../own-site.js';
import { redirect } from '../redirect.js';
import type { SignOnAttempts } from './attempts.js';
import type { SamlSigningOn } from './saml.js';
import { SignIn, type SignOnOptions } from './sign-in.js';

/** `GET /login/<provider>`: begins a sign-in, and ends it when the provider sends the browser back. */
export function signOnRoute(options: SignOnOptions, attempts: SignOnAttempts, saml: SamlSigningOn): RouteHandler {
  return async (request, { provider = '' }) => {
    const isSaml = signOnType(provider) === 'saml';
    if (!isSaml && oauthType(provider) === undefined) throw pathNotFound();
    checkMethod(request, ['GET']);
    const signIn = new SignIn(options, attempts, request, provider);
    if (isSaml) return saml.begin(signIn);
    return request.query.has('code') || request.query.has('error') ? finish(signIn) : begin(signIn);
  };
}

const isOAuth = (provider: EnabledProvider): provider is OAuthProvider => provider.type !== 'saml';

/** Sends the browser to the provider. */
function begin(signIn: SignIn): Promise<ApiResponse> {
  return signIn.orFailure(async () => {
    const { settings } = signIn.provider(isOAuth);
    const secrets = newSecrets(settings);
    const redirectUri = `${signIn.rootUrl}/login/${signIn.name}`;
    const { href } = await authorizationUrl(settings, secrets, redirectUri);
    return redirect(href, [await signIn.begun(secrets, redirectUri)]);
  });
}

/** Opens a session for the person whom the provider names. */
function finish(signIn: SignIn): Promise<ApiResponse> {
  const { audit, query } = signIn.request;
  if (audit !== undefined) audit.login = signIn.name;
  return signIn.orFailure(async () => {
    const provider = signIn.provider(isOAuth);
    const pending = await signIn.pending();
    checkState(pending, query.get('state'));
    const uid = await signIn.attempt(() => userOf(signIn, provider, pending));
    return signIn.open(uid, pending.to);
  });
}

async function userOf(signIn: SignIn, provider: OAuthProvider, pending: Pending): Promise<string> {
  const { query, signal } = signIn.request;
  const { type, settings } = provider;
  const fetch = await providerFetch(provider, signal, signIn.options.patience);
  const answer = new URL(`${pending.redirectUri}?${query}`);
  const tokens = await exchange(settings, pending, answer, fetch('tokenUrl'));
  const person = await askProvider(type, settings, tokens, fetch);
  const { allowSignUp, allowAssignGrafanaAdmin, skipOrgRoleSync } = settings;
  return signIn.accept(person, {
    // A user belongs to the origin that named them. So a caller who changes the settings cannot let another server
    // name them.
    issuer: new URL(tokens.claims === undefined ? settings.apiUrl : settings.tokenUrl).origin,
    allowSignUp,
    allowAssignGrafanaAdmin,
    skipOrgRoleSync,
    states: [pending.state],
    ends: pending.ends,
  });
}
