import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AuthenticationContext, Authenticator, Credentials } from './authenticator.js';
import { invalidBasicHeader, mustChangePassword } from './errors.js';
import type { PasswordAccount, PasswordCheck } from './password-check.js';
import { isSameCaller, type UserInfo } from './user.js';

export interface BasicOptions {
  /** The account of a login name; undefined if the account may not log in. */
  readonly find: (login: string) => PasswordAccount | undefined;
  readonly check: PasswordCheck;
  /**
   * Called before a password is compared, so that an outdated account does not make a right password count as a wrong
   * one.
   */
  readonly catchUp?: (request: AuthenticationContext) => Promise<void>;
  readonly now?: () => number;
}

/** With resolution 0, the clock is read at every look-up. Tests replace the clock. */
const REMEMBERED = { max: 10_000, ttl: 10 * 60_000, ttlResolution: 0 };
/** Longer than any login name that can be stored and any password that people type. */
const MAX_CREDENTIAL = 4_096;

const BASIC = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i;

export const isBasic = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && /^basic( |$)/i.test(authorization);

/** The login and password of an `Authorization: Basic` header; undefined if the header is malformed. */
export function parseBasic(authorization: string): { readonly login: string; readonly password: string } | undefined {
  const encoded = authorization.length > MAX_CREDENTIAL ? undefined : BASIC.exec(authorization)?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon <= 0) return undefined;
  return { login: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

interface Presented extends Pick<Credentials, 'remoteAddress'> {
  readonly authorization: string;
}

interface Verified {
  readonly login: string;
  readonly revision: string;
  readonly account?: (() => PasswordAccount | undefined) | undefined;
}

/**
 * Authenticates by login and password in the Basic scheme. Verified credentials are cached for some time, to save the
 * cost of scrypt. The key is a hash with a salt that only this process has, so that no password stays in memory. Cached
 * credentials are checked on the present state of this server. All others wait for `catchUp`.
 */
export function basicAuthenticator({ find, check, catchUp, now = Date.now }: BasicOptions): Authenticator {
  const salt = randomBytes(32).toString('hex');
  const verified = new LRUCache<string, Verified>({ ...REMEMBERED, perf: { now } });

  const current = ({ login, revision, account: again }: Verified): UserInfo | undefined => {
    const account = again === undefined ? find(login) : again();
    return account?.revision === revision && account.mustChange !== true ? account.user : undefined;
  };
  const remembered = (mark: string): UserInfo | undefined => {
    const known = verified.get(mark);
    const user = known === undefined ? undefined : current(known);
    return known === undefined || user === undefined ? undefined : lasting(user, known);
  };
  /** By object, so that a caller stays the same object until something changes. */
  const lastingUsers = new WeakMap<UserInfo, { readonly revision: string; readonly user: UserInfo }>();
  const lasting = (user: UserInfo, known: Verified): UserInfo => {
    const cached = lastingUsers.get(user);
    if (cached !== undefined && cached.revision === known.revision) return cached.user;
    const lastingUser = { ...user, stillValid: () => isSameCaller(current(known), user) };
    lastingUsers.set(user, { revision: known.revision, user: lastingUser });
    return lastingUser;
  };

  const verify = async (
    mark: string,
    { authorization, remoteAddress: address }: Presented,
    notes: object | undefined,
  ): Promise<UserInfo> => {
    const credentials = parseBasic(authorization);
    if (credentials === undefined) throw invalidBasicHeader();
    const account = await check(credentials.login, credentials.password, address, notes);
    const { user, revision, mustChange, lifetime: ttl } = account;
    if (mustChange === true) throw mustChangePassword();
    const known = { login: credentials.login, revision, account: account.current };
    verified.set(mark, known, { ...(ttl !== undefined && { ttl }) });
    return lasting(user, known);
  };

  /**
   * Concurrent requests with the same credential share one check. The password queue bounds how many checks there are.
   */
  const checks = new Map<string, Promise<UserInfo>>();
  const verifyOnce = (mark: string, credential: Presented, notes: object | undefined): Promise<UserInfo> => {
    const checkKey = `${credential.remoteAddress} ${mark}`;
    const running = checks.get(checkKey);
    if (running !== undefined) return running;
    const started = verify(mark, credential, notes).finally(() => checks.delete(checkKey));
    checks.set(checkKey, started);
    return started;
  };

  const signIn = async (mark: string, credential: Presented, request: AuthenticationContext): Promise<UserInfo> => {
    await catchUp?.(request);
    const user = remembered(mark);
    if (user !== undefined) return user;
    const { authorization } = credential;
    // A check of the password is a sign-in. It is recorded whether it succeeds or not.
    if (request.audit !== undefined) request.audit.login = parseBasic(authorization)?.login ?? '';
    return verifyOnce(mark, credential, request.audit);
  };

  return {
    authenticate: ({ authorization, remoteAddress }, request) => {
      if (!isBasic(authorization)) return undefined;
      const mark = hash('sha256', `${salt}${authorization}`, 'base64');
      return remembered(mark) ?? signIn(mark, { authorization, remoteAddress }, request);
    },
  };
}
