import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../pkg/authn/token-text.js';
import type { UserInfo } from '../../pkg/authn/user.js';
import { parseUserAgent } from '../../pkg/authn/user-agent.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { BY_HASH, BY_USER, type SessionSpec } from '../internal/session/schema.js';
import { type IdentityServices, ignoreMissing, isoTime } from './services.js';

export type Session = KubeObject<SessionSpec>;

/** Milliseconds. */
export interface SessionLimits {
  /** A session that is not used for so long is over. */
  readonly maxInactive: number;
  /** A session is over after this, however much it is used. */
  readonly maxLifetime: number;
  /** The cookie's secret changes this often. */
  readonly rotateAfter: number;
}

export interface OpenedSession {
  readonly session: Session;
  /** For the cookie; only its hash is kept. */
  readonly secret: string;
}

/** A session as a secret shows it. `isPrevious`: the secret has been replaced since. */
export interface FoundSession {
  readonly session: Session;
  readonly isPrevious: boolean;
}

export interface Sessions {
  open(
    user: UserInfo,
    from: { readonly clientIp: string; readonly userAgent: string | undefined },
  ): Promise<OpenedSession>;
  /** The session of a secret, if it is not over. */
  find(secret: string): FoundSession | undefined;
  /** By name, if it is not over. */
  get(name: string): Session | undefined;
  /** Due, or the answer that carried the present secret may be lost. */
  wantsRotation(found: FoundSession): boolean;
  /** Gives the session another secret, and for the present one a while yet; undefined when someone else has just done so. */
  rotate(session: Session, secret: string): Promise<string | undefined>;
  /** The client has the present secret, and has had time to stop sending the previous one. */
  wantsSettling(found: FoundSession): boolean;
  /** Takes the previous secret away. */
  settle(session: Session): Promise<void>;
  /** The user's sessions that are not over, oldest first. */
  list(uid: string): readonly Session[];
  /** Ends a session. Ending one that is not there is no failure. */
  close(name: string): Promise<void>;
  /** Ends all sessions of a user. */
  closeAll(uid: string): Promise<void>;
  /** Removes sessions that are over; at most some at once. */
  sweep(): Promise<void>;
}

/** Secrets replaced no longer ago than this count without further ado: requests that were sent together with the one that rotated. */
const GRACE = 60_000;
/** A user who logs in again and again keeps the newest. */
const MOST_PER_USER = 50;
const SWEEP_AT_ONCE = 500;

const newSecret = (): string => randomBytes(32).toString('base64url');

export function sessions(services: IdentityServices, limits: SessionLimits): Sessions {
  const { now } = services;
  const stored = services.objects<SessionSpec>('sessions');

  const end = ({ spec }: Session): number => {
    const created = Date.parse(spec?.createdAt ?? '');
    const seen = Date.parse(spec?.seenAt ?? spec?.createdAt ?? '');
    return Math.min(seen + limits.maxInactive, created + limits.maxLifetime);
  };
  const isOver = (session: Session): boolean => !(now() < end(session));
  const turnedAt = ({ spec }: Session): number => Date.parse(spec?.rotatedAt ?? spec?.createdAt ?? '');
  const all = (uid: string): readonly Session[] => {
    const found = [...stored.range({ index: BY_USER, prefix: [uid] })];
    return found.sort((a, b) => Date.parse(a.spec?.createdAt ?? '') - Date.parse(b.spec?.createdAt ?? ''));
  };

  const close = async (name: string): Promise<void> => {
    await stored.delete(name).catch(ignoreMissing);
  };
  const change = (name: string, make: (spec: SessionSpec) => SessionSpec): Promise<Session> =>
    stored.update(name, (old) => ({ ...old, spec: make(old.spec as SessionSpec) }));

  return {
    open: async (user, from) => {
      const secret = newSecret();
      const spec = sessionSpec(user, hashSecret(secret), isoTime(now()), from);
      const own = services.objects<SessionSpec>('sessions', '', { user });
      const session = await own.create({ metadata: { name: services.newName() }, spec });
      for (const old of all(user.uid).slice(0, -MOST_PER_USER)) await close(old.metadata.name);
      return { session, secret };
    },
    find: (secret) => {
      const hash = hashSecret(secret);
      const [session] = stored.range({ index: BY_HASH, prefix: [hash] });
      return session === undefined || isOver(session)
        ? undefined
        : { session, isPrevious: session.spec?.hash !== hash };
    },
    get: (name) => {
      const session = stored.find(name);
      return session === undefined || isOver(session) ? undefined : session;
    },
    wantsRotation: ({ session, isPrevious }) => now() - turnedAt(session) >= (isPrevious ? GRACE : limits.rotateAfter),
    rotate: async (session, secret) => {
      const [next, presented, at] = [newSecret(), hashSecret(secret), isoTime(now())];
      const seen = session.spec?.hash;
      const turned = await change(session.metadata.name, (spec) =>
        spec.hash === seen
          ? { ...spec, hash: hashSecret(next), previousHash: presented, rotatedAt: at, seenAt: at }
          : spec,
      );
      return turned.spec?.hash === hashSecret(next) ? next : undefined;
    },
    wantsSettling: ({ session, isPrevious }) =>
      !isPrevious && session.spec?.previousHash !== undefined && now() - turnedAt(session) >= GRACE,
    settle: async ({ metadata, spec }) => {
      await change(metadata.name, (current) => (current.hash === spec?.hash ? settled(current) : current));
    },
    list: (uid) => all(uid).filter((session) => !isOver(session)),
    close,
    closeAll: async (uid) => {
      for (const { metadata } of all(uid)) await close(metadata.name);
    },
    sweep: async () => {
      const over = [...stored.range({ index: BY_USER, prefix: [] })].filter(isOver);
      for (const { metadata } of over.slice(0, SWEEP_AT_ONCE)) await close(metadata.name);
    },
  };
}

function sessionSpec(
  user: UserInfo,
  hash: string,
  createdAt: string,
  { clientIp, userAgent }: { readonly clientIp: string; readonly userAgent: string | undefined },
): SessionSpec {
  const { device, os, osVersion, browser, browserVersion } = parseUserAgent(userAgent);
  const told = { clientIp, userAgent: printable(userAgent), device, os, osVersion, browser, browserVersion };
  return {
    userRef: { name: user.uid },
    hash,
    createdAt,
    ...Object.fromEntries(Object.entries(told).filter(([, value]) => value !== '')),
  };
}

function settled({ previousHash: _, ...spec }: SessionSpec): SessionSpec {
  return spec;
}

const printable = (text = ''): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 500);
