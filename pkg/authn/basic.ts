import { createHmac, randomBytes } from 'node:crypto';
import { tooManyRequests, unauthorized } from '../status/errors.js';
import type { Authenticator, Credentials } from './authenticator.js';
import { BoundedMap } from './bounded-map.js';
import { verifyPassword } from './password.js';
import type { PasswordQueue } from './password-queue.js';
import type { UserInfo } from './user.js';

/** Someone who may log in with a password. */
export interface PasswordAccount {
  readonly user: UserInfo;
  /** As `hashPassword` made it. */
  readonly hash: string;
  /** Changes whenever the password or the right to log in does: what was verified under another one is forgotten. */
  readonly revision: string;
}

export interface BasicOptions {
  /** The account of a login name. */
  readonly find: (login: string) => PasswordAccount | undefined;
  readonly queue: Pick<PasswordQueue, 'run'>;
  readonly now?: () => number;
}

const REMEMBERED = { most: 10_000, milliseconds: 10 * 60_000 };
/** Five wrong passwords in five minutes, for a login from one address; then it waits. */
const FAILURES = { most: 10_000, milliseconds: 5 * 60_000, allowed: 5 };
const RETRY_SECONDS = 60;
/** A login name longer than any we would store, and a password longer than anyone types. */
const MOST_CREDENTIAL = 4_096;

/** Stands in for an unknown login's hash, so that an answer takes as long as for a known one. */
const NOBODY = `$scrypt$ln=15,r=8,p=3$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`;

const BASIC = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i;

/** Login and password of an `Authorization: Basic` header; undefined when it is malformed. */
export function parseBasic(authorization: string): { readonly login: string; readonly password: string } | undefined {
  const encoded = authorization.length > MOST_CREDENTIAL ? undefined : BASIC.exec(authorization)?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon <= 0) return undefined;
  return { login: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

interface Verified {
  readonly login: string;
  readonly revision: string;
}

/** Login and password in the Basic scheme. A credential that was right is remembered for a while: checking it again costs no scrypt. */
export function basicAuthenticator({ find, queue, now = Date.now }: BasicOptions): Authenticator {
  const key = randomBytes(32);
  const verified = new BoundedMap<Verified>(REMEMBERED.most, REMEMBERED.milliseconds, now);
  const failures = new BoundedMap<number>(FAILURES.most, FAILURES.milliseconds, now);

  const remembered = (mark: string): UserInfo | undefined => {
    const known = verified.get(mark);
    const account = known === undefined ? undefined : find(known.login);
    return account !== undefined && account.revision === known?.revision ? account.user : undefined;
  };

  const check = async (mark: string, authorization: string, address: string): Promise<UserInfo> => {
    const given = parseBasic(authorization);
    if (given === undefined) throw unauthorized();
    const place = `${address} ${given.login}`;
    const failed = failures.get(place) ?? 0;
    if (failed >= FAILURES.allowed) throw tooManyRequests(RETRY_SECONDS);
    // Counted before it is known, so that many at once are no way round the limit.
    failures.set(place, failed + 1);
    const account = find(given.login);
    const isRight = await queue
      .run(() => verifyPassword(given.password, account?.hash ?? NOBODY))
      .catch((error: unknown) => {
        failures.set(place, Math.max(0, (failures.get(place) ?? 0) - 1));
        throw error;
      });
    if (!isRight || account === undefined) throw unauthorized();
    failures.delete(place);
    verified.set(mark, { login: given.login, revision: account.revision });
    return account.user;
  };

  /** Requests that come with one credential at once share one check; the queue bounds how many there are. */
  const checks = new Map<string, Promise<UserInfo>>();
  const checkOnce = (mark: string, authorization: string, address: string): Promise<UserInfo> => {
    const place = `${address} ${mark}`;
    const running = checks.get(place);
    if (running !== undefined) return running;
    const started = check(mark, authorization, address).finally(() => checks.delete(place));
    checks.set(place, started);
    return started;
  };

  return {
    authenticate: ({ authorization, remoteAddress }: Credentials) => {
      if (authorization === undefined || !/^basic /i.test(authorization)) return undefined;
      const mark = createHmac('sha256', key).update(authorization).digest('base64');
      return remembered(mark) ?? checkOnce(mark, authorization, remoteAddress);
    },
  };
}
