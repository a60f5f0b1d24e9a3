import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { rootPath } from '../../../pkg/http/root-path.js';
import { cookieOf, setCookie } from '../../../pkg/identity/authn/cookies.js';
import type { OnFailedSignIn } from '../../../pkg/identity/authn/failed-sign-ins.js';
import type { Sealer } from '../../../pkg/identity/crypto/seal.js';
import { type RootUrlSettings, samlRootUrl } from '../../../pkg/identity/saml/root-url.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { localPath } from '../../../pkg/identity/signon/local-path.js';
import {
  openPending,
  PENDING_COOKIE,
  PENDING_LIFETIME,
  type Pending,
  sealPending,
} from '../../../pkg/identity/signon/pending.js';
import type { Person } from '../../../pkg/identity/signon/person.js';
import type { EnabledProvider, EnabledProviders } from '../../../pkg/identity/signon/providers.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import type { Directory } from '../directory.js';
import { redirect } from '../redirect.js';
import type { IdentityServices } from '../services.js';
import { type SessionCookies, sessionSecret } from '../session-cookie.js';
import type { Sessions, SignedInFrom } from '../sessions.js';
import type { SignOn, SignOnAccounts } from './accounts.js';
import type { SignOnAttempts } from './attempts.js';
import { authModuleOf } from './auth-module.js';

export interface SignOnOptions {
  readonly providers: EnabledProviders;
  readonly accounts: SignOnAccounts;
  readonly users: Pick<Directory, 'user'>;
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly services: Pick<IdentityServices, 'fresh' | 'now'>;
  /** Seals with `security.secret_key`, which all servers of a database share. */
  readonly sealer: () => Promise<Sealer>;
  readonly rootUrl: string | undefined;
  /** The server listens on loopback addresses only. */
  readonly isLocal?: boolean;
  /** Milliseconds for all requests of one sign-in to its provider. */
  readonly patience?: number | undefined;
  readonly warn: (message: string) => void;
  /** Told of the failures that no operator can repair. `warn` has the others. */
  readonly onFailed?: OnFailedSignIn;
}

/** What the provider has confirmed, and how the settings want it. */
type Confirmed = Pick<
  SignOn,
  'issuer' | 'allowSignUp' | 'allowAssignGrafanaAdmin' | 'skipOrgRoleSync' | 'states' | 'ends'
>;

/** What a page of another site can let a browser send, so that it is counted apart. */
type AttemptKind = 'logout' | 'unsolicited';

/** One request of a sign-in by a provider: what the protocols have in common. */
export class SignIn {
  readonly options: SignOnOptions;
  readonly request: ApiRequest;
  /** The name of the provider. */
  readonly name: string;
  readonly #attempts: SignOnAttempts;
  /** What the provider calls the person. */
  #person: string | undefined;

  constructor(options: SignOnOptions, attempts: SignOnAttempts, request: ApiRequest, name: string) {
    this.options = options;
    this.#attempts = attempts;
    this.request = request;
    this.name = name;
  }

  /** The provider, if people can sign in by it. Throws SignOnFailure otherwise. */
  provider<Type extends EnabledProvider['type']>(
    isOf: (provider: EnabledProvider) => provider is Extract<EnabledProvider, { readonly type: Type }>,
  ): Extract<EnabledProvider, { readonly type: Type }> {
    const provider = this.options.providers.get(this.name);
    if (provider === undefined || !isOf(provider)) throw new SignOnFailure('disabled', 'the provider is off');
    if (provider.problem !== undefined) throw new SignOnFailure('settings', provider.problem);
    return provider;
  }

  /** The cookie that keeps the secrets of the sign-in that begins, and where the browser goes afterwards. */
  async begun(secrets: Pick<Pending, 'state' | 'nonce' | 'verifier'>, redirectUri: string): Promise<string> {
    const { services, sealer } = this.options;
    const root = rootPath(this.options.rootUrl);
    const to = localPath(this.request.query.get('redirectTo'), root) ?? `${root}/`;
    const ends = services.now() + PENDING_LIFETIME;
    const pending = { ...secrets, provider: this.name, redirectUri, to, ends };
    return this.#pendingCookie(sealPending(await sealer(), pending), PENDING_LIFETIME);
  }

  get hasBegun(): boolean {
    return cookieOf(this.request.headers['cookie'], PENDING_COOKIE) !== undefined;
  }

  /** The sign-in that this browser has begun. Throws SignOnFailure. */
  async pending(): Promise<Pending> {
    const { sealer, services } = this.options;
    const cookie = cookieOf(this.request.headers['cookie'], PENDING_COOKIE);
    return openPending(await sealer(), { provider: this.name, cookie, now: services.now() });
  }

  /** Runs what asks the provider, or checks what it signed, within the limits of its address. */
  async attempt<T>(work: () => Promise<T>, kind?: AttemptKind): Promise<T> {
    await this.options.services.fresh(this.request);
    return this.#attempts.run(this.address, work, kind);
  }

  /** The uid of the user of a person, after one commit that also uses up the states. */
  async accept(person: Person, confirmed: Confirmed): Promise<string> {
    const { audit } = this.request;
    this.#person = person.login || person.subject;
    if (audit !== undefined) audit.login = `${this.name}:${this.#person}`;
    const { accounts, services } = this.options;
    return accounts.signIn({ ...confirmed, person, provider: this.name, now: services.now(), audit });
  }

  /** Opens a session, and sends the browser to a path of this server. */
  async open(
    uid: string,
    to: string,
    atProvider: Pick<SignedInFrom, 'external' | 'endsAt'> = {},
  ): Promise<ApiResponse> {
    const { users, sessions, cookies } = this.options;
    const user = users.user(uid);
    if (user === undefined) throw new SignOnFailure('not_allowed', 'the user is disabled or deleted');
    const { audit, headers, client } = this.request;
    if (audit !== undefined) audit.user = user;
    const { secret } = await sessions.open(user, {
      clientIp: this.address,
      userAgent: headers['user-agent'],
      replaced: sessionSecret(this.request),
      authModule: authModuleOf(this.name),
      ...atProvider,
    });
    const own = cookies.give(secret, client?.isSecure === true);
    return redirect(to, [...own, this.#pendingCookie('', 0)], this.request.method === 'POST' ? 303 : 302);
  }

  /** After a failure, the browser gets the sign-in page, and the person must begin again. */
  async orFailure(work: () => Promise<ApiResponse>): Promise<ApiResponse> {
    try {
      return await work();
    } catch (error) {
      const { code, message, cause } = failureOf(error);
      const reason = cause === undefined ? '' : messageOf(cause);
      const why = reason === '' || message.includes(reason) ? message : `${message}: ${reason}`;
      const { audit, method } = this.request;
      if (audit !== undefined) audit.signInFailure = message;
      if (WARNED.has(code)) this.options.warn(`A sign-in by ${this.name} failed: ${why.slice(0, MOST_LOGGED)}`);
      else this.#failed(message);
      // A page of another site must not end the sign-in that has begun in this browser.
      return redirect(
        `${rootPath(this.options.rootUrl)}/login?error=${code}`,
        code === 'state' ? [] : [this.#pendingCookie('', 0)],
        method === 'POST' ? 303 : 302,
      );
    }
  }

  /** The address at which people reach the server. Without a setting it is the one that the browser used. */
  get rootUrl(): string {
    return rootUrlOf(this.options.rootUrl, this.request);
  }

  /** The same for SAML, which takes no address that a client says. Throws SignOnFailure. */
  get samlRootUrl(): string {
    return samlRootUrlOf(this.options, this.request);
  }

  get address(): string {
    return this.request.client?.remoteAddress ?? '';
  }

  #failed(why: string): void {
    this.options.onFailed?.({ by: this.name, login: this.#person, address: this.address, why });
  }

  #pendingCookie(value: string, milliseconds: number): string {
    const isSecure = this.request.client?.isSecure === true || this.rootUrl.toLowerCase().startsWith('https:');
    return setCookie(PENDING_COOKIE, value, { maxAge: milliseconds / 1000, isSecure, httpOnly: true });
  }
}

export function rootUrlOf(rootUrl: string | undefined, { headers, client }: ApiRequest): string {
  if (rootUrl !== undefined) return rootUrl.replace(/\/+$/, '');
  return `${client?.isSecure === true ? 'https' : 'http'}://${hostOf(headers)}`;
}

export function samlRootUrlOf(settings: RootUrlSettings, { headers, client }: ApiRequest): string {
  return samlRootUrl(settings, hostOf(headers), client?.isSecure === true);
}

const hostOf = (headers: ApiRequest['headers']): string => headers[':authority'] ?? headers['host'] ?? '';

/** Turns an error of a store that does not answer into a failure. Unexpected errors are answered with 500. */
function failureOf(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailure) return error;
  if (!(error instanceof ApiError) || error.code < 429) throw error;
  return new SignOnFailure('unavailable', error.message, error);
}

/** Failures that an operator can repair. Anybody can cause the others, so they are no warnings. */
const WARNED: ReadonlySet<string> = new Set(['provider', 'settings', 'no_role', 'taken', 'unavailable']);
const MOST_LOGGED = 500;
