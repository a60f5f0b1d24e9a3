import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Sealer } from '../crypto/seal.js';
import { SignOnFailure } from './failure.js';
import type { Secrets } from './flow.js';

/** Milliseconds in which people sign in at the provider. */
export const PENDING_LIFETIME = 600_000;
export const PENDING_COOKIE = 'apiserver_sign_on';
/** The server also seals other texts. It does not accept them here, because they were sealed with another context. */
const CONTEXT = 'sign-on';

const Pending = z.strictObject({
  provider: z.string(),
  state: z.string(),
  nonce: z.string().optional(),
  verifier: z.string().optional(),
  redirectUri: z.string(),
  /** Where the browser goes afterwards, on this server. */
  to: z.string(),
  /** Milliseconds since the epoch. */
  ends: z.number(),
});

/** A sign-in that has begun. Only the browser that began it keeps it, in a cookie that it cannot read or change. */
export interface Pending extends Secrets {
  readonly provider: string;
  readonly redirectUri: string;
  readonly to: string;
  readonly ends: number;
}

export function sealPending(sealer: Sealer, pending: Pending): string {
  return sealer.seal(JSON.stringify(pending), CONTEXT);
}

export interface Returned {
  readonly provider: string;
  /** The cookie of the browser. */
  readonly cookie: string | undefined;
  readonly now: number;
}

/** The sign-in that this browser has begun with this provider. Throws SignOnFailure. */
export function openPending(sealer: Sealer, { provider, cookie, now }: Returned): Pending {
  if (cookie === undefined) throw new SignOnFailure('state', 'the browser has not begun to sign in');
  const pending = read(sealer, cookie);
  if (pending.ends <= now) throw new SignOnFailure('state', 'the sign-in took too long');
  if (pending.provider !== provider) throw new SignOnFailure('state', 'the sign-in began with another provider');
  return pending;
}

/** Throws SignOnFailure for the answer to another sign-in. */
export function checkState(pending: Pending, state: string | null): void {
  if (!isEqual(pending.state, state ?? '')) throw new SignOnFailure('state', 'the state is of another sign-in');
}

function read(sealer: Sealer, cookie: string): Pending {
  try {
    return Pending.parse(JSON.parse(sealer.unseal(cookie, CONTEXT)));
  } catch (error) {
    throw new SignOnFailure('state', 'the cookie is not from this server', error);
  }
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
