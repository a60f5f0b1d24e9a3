import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../pkg/identity/authn/token-text.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { parseUserAgent } from '../../pkg/identity/authn/user-agent.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { ignoreMissing } from '../../pkg/kube/status/errors.js';
import type { ClientOptions, ObjectReader } from '../../registry/client/client.js';
import { BY_HASH, BY_NAME_ID, BY_USER, type SessionSpec } from '../internal/session/schema.js';
import { SYSTEM_USER } from './bootstrap.js';
import { type IdentityServices, isoTime } from './services.js';
import { sweep } from './sweep.js';

export type Session = KubeObject<SessionSpec>;

/** Milliseconds. */
export interface SessionLimits {
  /** A session ends when it was not used for this time. */
  readonly maxInactive: number;
  /** A session ends after this time, even if it is used. */
  readonly maxLifetime: number;
  /** The secret of the cookie changes after this time. */
  readonly rotateAfter: number;
}

export interface OpenedSession {
  readonly session: Session;
  /** The secret for the cookie. Only its hash is stored. */
  readonly secret: string;
}

/** The session of a secret. `isPrevious`: the secret was replaced since. */
export interface FoundSession {
  readonly session: Session;
  readonly isPrevious: boolean;
}

/** How and where a session began. */
export interface SignedInFrom {
  readonly clientIp: string;
  readonly userAgent: string | undefined;
  /** The secret of the session that the browser had until now. That session ends, because the browser forgets it. */
  readonly replaced?: string | undefined;
  /** What checked the user, such as `oauth_github`; absent: a password. */
  readonly authModule?: string;
  /** The session at a SAML provider. */
  readonly external?: NonNullable<SessionSpec['external']>;
  /** When it ends at the latest, in milliseconds since the epoch; absent: the limits decide alone. */
  readonly endsAt?: number;
}

/** A request that ends a session with the server's rights. */
type AskedBy = Pick<ClientOptions, 'audit'>;

/** The sessions that a provider ends. */
export interface ClosedExternally {
  readonly provider: string;
  readonly nameId: string;
  readonly sessionIndexes: readonly string[];
}

export interface Sessions {
  open(user: UserInfo, from: SignedInFrom): Promise<OpenedSession>;
  /** The session of a secret, the current or the previous one, unless it has ended. */
  find(secret: string): FoundSession | undefined;
  /** The session of this name, unless it has ended. */
  get(name: string): Session | undefined;
  /** Whether rotation is due, or the response with the current secret may have been lost. */
  wantsRotation(found: FoundSession): boolean;
  /**
   * Replaces the secret of a session. The presented one stays valid until `settle`, or until the new one is replaced.
   * Undefined if another request has just replaced it, or ended the session.
   */
  rotate(session: Session, secret: string): Promise<string | undefined>;
  /** Whether the client has the current secret and has had time to stop sending the previous one. */
  wantsSettling(found: FoundSession): boolean;
  /** Invalidates the previous secret. */
  settle(session: Session): Promise<void>;
  /** The sessions of a user that have not ended, oldest first. */
  list(uid: string): readonly Session[];
  /** Ends a session. It is not an error if there is none. `by` is the request that asks for it. */
  close(name: string, by?: AskedBy): Promise<void>;
  closeAll(uid: string, by?: AskedBy): Promise<void>;
  /**
   * Ends the sessions of a person at a provider: those with one of these indexes, or all if there is no index. Returns
   * the uids of their users.
   */
  closeExternal(session: ClosedExternally, by?: AskedBy): Promise<readonly string[]>;
  /** Deletes sessions that have ended, a limited number per call. */
  sweep(): Promise<void>;
}

/**
 * A replaced secret is accepted at least for this time, because other requests may have been sent together with the one
 * that rotated it. It is accepted until a request with the current secret comes after this time. Until then the client
 * may not have the current secret, because an answer can be lost.
 */
const GRACE = 60_000;
/** The most sessions of a user. A further login ends the oldest one. */
const MOST_PER_USER = 50;

const newSecret = (): string => randomBytes(32).toString('base64url');

export function sessions(services: IdentityServices, limits: SessionLimits): Sessions {
  const { now } = services;
  const stored = services.objects<SessionSpec>('internal/sessions');

  const end = ({ spec }: Session): number => {
    const created = Date.parse(spec?.createdAt ?? '');
    const seen = Date.parse(spec?.seenAt ?? spec?.createdAt ?? '');
    const given = spec?.endsAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(spec.endsAt);
    return Math.min(seen + limits.maxInactive, created + limits.maxLifetime, given);
  };
  const isOver = (session: Session): boolean => isTerminating(session) || !(now() < end(session));
  const turnedAt = ({ spec }: Session): number => Date.parse(spec?.rotatedAt ?? spec?.createdAt ?? '');
  const all = (uid: string): readonly Session[] =>
    [...stored.range({ index: BY_USER, prefix: [uid] })].sort(
      (a, b) => Date.parse(a.spec?.createdAt ?? '') - Date.parse(b.spec?.createdAt ?? ''),
    );

  const find: Sessions['find'] = (secret) => {
    const hash = hashSecret(secret);
    const [session] = stored.range({ index: BY_HASH, prefix: [hash] });
    return session === undefined || isOver(session) ? undefined : { session, isPrevious: session.spec?.hash !== hash };
  };

  const close = async (name: string, { audit }: AskedBy = {}): Promise<void> => {
    const own = services.objects('internal/sessions', '', { user: SYSTEM_USER, audit });
    await own.delete(name).catch(ignoreMissing);
  };
  /** undefined: the session has just ended, perhaps on another server. */
  const change = (name: string, make: (spec: SessionSpec) => SessionSpec): Promise<Session | undefined> =>
    stored
      .update(name, (old) => ({ ...old, spec: make(old.spec as SessionSpec) }))
      .catch((error: unknown) => {
        ignoreMissing(error);
        return undefined;
      });

  return {
    open: async (user, from) => {
      const secret = newSecret();
      const spec = sessionSpec(user, hashSecret(secret), isoTime(now()), from);
      const own = services.objects<SessionSpec>('internal/sessions', '', { user });
      const session = await own.create({ metadata: { name: services.newName() }, spec });
      const replaced = from.replaced === undefined ? undefined : find(from.replaced);
      if (replaced !== undefined) await close(replaced.session.metadata.name);
      for (const old of all(user.uid).slice(0, -MOST_PER_USER)) await close(old.metadata.name);
      return { session, secret };
    },
    find,
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
      return turned?.spec?.hash === hashSecret(next) ? next : undefined;
    },
    wantsSettling: ({ session, isPrevious }) =>
      !isPrevious && session.spec?.previousHash !== undefined && now() - turnedAt(session) >= GRACE,
    settle: async ({ metadata, spec }) => {
      await change(metadata.name, (current) => (current.hash === spec?.hash ? settled(current) : current));
    },
    list: (uid) => all(uid).filter((session) => !isOver(session)),
    close,
    closeAll: async (uid, by) => void (await closeEach(all(uid), close, by)),
    closeExternal: (ended, by) => closeEach(externalSessions(stored, ended), close, by),
    sweep: () => sweep(services, 'internal/sessions', BY_USER, isOver),
  };
}

function externalSessions(
  stored: ObjectReader<SessionSpec>,
  { provider, nameId, sessionIndexes }: ClosedExternally,
): readonly Session[] {
  const all = [...stored.range({ index: BY_NAME_ID, prefix: [provider, nameId] })];
  if (sessionIndexes.length === 0) return all;
  return all.filter(({ spec }) => sessionIndexes.includes(spec?.external?.sessionIndex ?? ''));
}

/** Returns the uids of their users. */
async function closeEach(all: readonly Session[], close: Sessions['close'], by?: AskedBy): Promise<readonly string[]> {
  for (const { metadata } of all) await close(metadata.name, by);
  return [...new Set(all.flatMap(({ spec }) => spec?.userRef.name ?? []))];
}

function sessionSpec(
  user: UserInfo,
  hash: string,
  createdAt: string,
  { clientIp, userAgent, authModule = '', external, endsAt }: SignedInFrom,
): SessionSpec {
  const { device, os, osVersion, browser, browserVersion } = parseUserAgent(userAgent);
  const signedInFrom = {
    clientIp,
    userAgent: printable(userAgent),
    authModule,
    device,
    os,
    osVersion,
    browser,
    browserVersion,
  };
  return {
    userRef: { name: user.uid },
    hash,
    createdAt,
    ...(external && { external }),
    ...(endsAt !== undefined && { endsAt: isoTime(endsAt) }),
    ...Object.fromEntries(Object.entries(signedInFrom).filter(([, value]) => value !== '')),
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
