import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { rootPath } from '../../../pkg/http/root-path.js';
import type { RouteHandler } from '../../../pkg/http/router.js';
import { cookieOf, setCookie } from '../../../pkg/identity/authn/cookies.js';
import type { OnFailedSignIn } from '../../../pkg/identity/authn/failed-sign-ins.js';
import type { Sealer } from '../../../pkg/identity/crypto/seal.js';
import { providerFetch } from '../../../pkg/identity/signon/client.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { authorizationUrl, exchange, newSecrets } from '../../../pkg/identity/signon/flow.js';
import { localPath } from '../../../pkg/identity/signon/local-path.js';
import {
  openPending,
  PENDING_COOKIE,
  PENDING_LIFETIME,
  type Pending,
  sealPending,
} from '../../../pkg/identity/signon/pending.js';
import { askProvider } from '../../../pkg/identity/signon/profile.js';
import { type OAuthProvider, type OAuthProviders, oauthType } from '../../../pkg/identity/signon/settings.js';
import { pathNotFound } from '../../../pkg/kube/status/errors.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { seldom } from '../../../pkg/system/log/seldom.js';
import type { Directory } from '../directory.js';
import { checkMethod } from '../own-site.js';
import { redirect } from '../redirect.js';
import type { IdentityServices } from '../services.js';
import { type SessionCookies, sessionSecret } from '../session-cookie.js';
import type { Sessions } from '../sessions.js';
import type { SignOnAccounts } from './accounts.js';
import { SignOnAttempts } from './attempts.js';
import { authModuleOf } from './auth-module.js';

export interface SignOnOptions {
  readonly providers: OAuthProviders;
  readonly accounts: SignOnAccounts;
  readonly users: Pick<Directory, 'user'>;
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly services: Pick<IdentityServices, 'fresh' | 'now'>;
  /** Seals with `security.secret_key`, which all servers of a database share. */
  readonly sealer: () => Promise<Sealer>;
  readonly rootUrl: string | undefined;
  /** Milliseconds for all requests of one sign-in to its provider. */
  readonly patience?: number | undefined;
  readonly warn: (message: string) => void;
  /** Told of the failures that no operator can repair. `warn` has the others. */
  readonly onFailed?: OnFailedSignIn;
}

/** `GET /login/<provider>`: begins a sign-in, and ends it when the provider sends the browser back. */
export function signOnRoute(given: SignOnOptions): RouteHandler {
  const { now } = given.services;
  const options = { ...given, warn: seldom(given.warn, now) };
  const attempts = new SignOnAttempts(now);
  return async (request, { provider = '' }) => {
    if (oauthType(provider) === undefined) throw pathNotFound();
    checkMethod(request, ['GET']);
    const isBack = request.query.has('code') || request.query.has('error');
    const signIn = new SigningOn(options, attempts, request, provider);
    return isBack ? signIn.finish() : signIn.begin();
  };
}

/** One request to sign in. */
class SigningOn {
  readonly #options: SignOnOptions;
  readonly #attempts: SignOnAttempts;
  readonly #request: ApiRequest;
  /** The name of the provider. */
  readonly #name: string;
  /** What the provider calls the person. */
  #person: string | undefined;

  constructor(options: SignOnOptions, attempts: SignOnAttempts, request: ApiRequest, name: string) {
    this.#options = options;
    this.#attempts = attempts;
    this.#request = request;
    this.#name = name;
  }

  /** Sends the browser to the provider. */
  async begin(): Promise<ApiResponse> {
    return this.#orFailure(async () => {
      const { services, sealer } = this.#options;
      const { settings } = this.#provider();
      const secrets = newSecrets(settings);
      const redirectUri = `${this.#rootUrl()}/login/${this.#name}`;
      const root = rootPath(this.#options.rootUrl);
      const to = localPath(this.#request.query.get('redirectTo'), root) ?? `${root}/`;
      const ends = services.now() + PENDING_LIFETIME;
      const pending = { ...secrets, provider: this.#name, redirectUri, to, ends };
      const { href } = await authorizationUrl(settings, secrets, redirectUri);
      return redirect(href, [this.#pendingCookie(sealPending(await sealer(), pending), PENDING_LIFETIME)]);
    });
  }

  /** Opens a session for the person whom the provider names. */
  async finish(): Promise<ApiResponse> {
    const { audit, client } = this.#request;
    if (audit !== undefined) audit.login = this.#name;
    return this.#orFailure(async () => {
      const provider = this.#provider();
      const pending = await this.#pending();
      await this.#options.services.fresh(this.#request);
      const address = client?.remoteAddress ?? '';
      const uid = await this.#attempts.run(address, () => this.#userOf(provider, pending));
      return redirect(pending.to, [...(await this.#open(uid, address)), this.#pendingCookie('', 0)]);
    });
  }

  #provider(): OAuthProvider {
    const provider = this.#options.providers.get(this.#name);
    if (provider === undefined) throw new SignOnFailure('disabled', 'the provider is off');
    if (provider.problem !== undefined) throw new SignOnFailure('settings', provider.problem);
    return provider;
  }

  async #pending(): Promise<Pending> {
    const { headers, query } = this.#request;
    const { sealer, services } = this.#options;
    const cookie = cookieOf(headers['cookie'], PENDING_COOKIE);
    return openPending(await sealer(), {
      provider: this.#name,
      cookie,
      state: query.get('state'),
      now: services.now(),
    });
  }

  async #userOf(provider: OAuthProvider, pending: Pending): Promise<string> {
    const { query, signal, audit } = this.#request;
    const { type, settings } = provider;
    const fetch = await providerFetch(provider, signal, this.#options.patience);
    const answer = new URL(`${pending.redirectUri}?${query}`);
    const tokens = await exchange(settings, pending, answer, fetch('tokenUrl'));
    const person = await askProvider(type, settings, tokens, fetch);
    this.#person = person.login || person.subject;
    if (audit !== undefined) audit.login = `${this.#name}:${this.#person}`;
    const { state, ends } = pending;
    const { allowSignUp, allowAssignGrafanaAdmin, skipOrgRoleSync } = settings;
    return this.#options.accounts.signIn({
      person,
      provider: this.#name,
      // A user belongs to the origin that named them. So a caller who changes the settings cannot let another server
      // name them.
      issuer: new URL(tokens.claims === undefined ? settings.apiUrl : settings.tokenUrl).origin,
      allowSignUp,
      allowAssignGrafanaAdmin,
      skipOrgRoleSync,
      state,
      ends,
      now: this.#options.services.now(),
      audit,
    });
  }

  async #open(uid: string, clientIp: string): Promise<readonly string[]> {
    const { users, sessions, cookies } = this.#options;
    const user = users.user(uid);
    if (user === undefined) throw new SignOnFailure('not_allowed', 'the user is disabled or deleted');
    const { audit, headers, client } = this.#request;
    if (audit !== undefined) audit.user = user;
    const authModule = authModuleOf(this.#name);
    const replaced = sessionSecret(this.#request);
    const { secret } = await sessions.open(user, { clientIp, userAgent: headers['user-agent'], replaced, authModule });
    return cookies.give(secret, client?.isSecure === true);
  }

  /** After a failure, the browser gets the sign-in page, and the person must begin again. */
  async #orFailure(work: () => Promise<ApiResponse>): Promise<ApiResponse> {
    try {
      return await work();
    } catch (error) {
      const { code, message, cause } = failureOf(error);
      const reason = cause === undefined ? '' : messageOf(cause);
      const why = reason === '' || message.includes(reason) ? message : `${message}: ${reason}`;
      const { audit } = this.#request;
      if (audit !== undefined) audit.signInFailure = message;
      if (WARNED.has(code)) this.#options.warn(`A sign-in by ${this.#name} failed: ${why.slice(0, MOST_LOGGED)}`);
      else this.#failed(message);
      // A page of another site must not end the sign-in that has begun in this browser.
      return redirect(
        `${rootPath(this.#options.rootUrl)}/login?error=${code}`,
        code === 'state' ? [] : [this.#pendingCookie('', 0)],
      );
    }
  }

  #failed(why: string): void {
    const address = this.#request.client?.remoteAddress ?? '';
    this.#options.onFailed?.({ by: this.#name, login: this.#person, address, why });
  }

  /** The address at which people reach the server. Without a setting it is the one that the browser used. */
  #rootUrl(): string {
    const { rootUrl } = this.#options;
    if (rootUrl !== undefined) return rootUrl.replace(/\/+$/, '');
    const { headers, client } = this.#request;
    const host = headers[':authority'] ?? headers['host'] ?? '';
    return `${client?.isSecure === true ? 'https' : 'http'}://${host}`;
  }

  #pendingCookie(value: string, milliseconds: number): string {
    const isSecure = this.#request.client?.isSecure === true || this.#rootUrl().toLowerCase().startsWith('https:');
    return setCookie(PENDING_COOKIE, value, { maxAge: milliseconds / 1000, isSecure, httpOnly: true });
  }
}

/** Turns an error of a store that does not answer into a failure. Unexpected errors are answered with 500. */
function failureOf(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailure) return error;
  if (!(error instanceof ApiError) || error.code < 429) throw error;
  return new SignOnFailure('unavailable', error.message, error);
}

/** Failures that an operator can repair. Anybody can cause the others, so they are no warnings. */
const WARNED: ReadonlySet<string> = new Set(['provider', 'settings', 'no_role', 'taken', 'unavailable']);
const MOST_LOGGED = 500;
