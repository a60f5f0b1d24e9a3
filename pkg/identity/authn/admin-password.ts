import { randomBytes } from 'node:crypto';

export interface FirstPasswordOptions {
  /** The setting security.admin_password. */
  readonly password: string | undefined;
  /** True if the server listens on loopback addresses only. */
  readonly loopbackOnly: boolean;
}

export interface FirstPassword {
  readonly password: string;
  /** The password was generated now and must be shown once. */
  readonly isRandom: boolean;
}

/** Used only while no other machine can reach the server. */
export const LOOPBACK_PASSWORD = 'admin';
const RANDOM_BYTES = 18;

export const randomPassword = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

/**
 * The administrator's first password: the configured one, else "admin" if only this machine can reach the server, else
 * a random one.
 */
export function firstPassword({ password, loopbackOnly }: FirstPasswordOptions): FirstPassword {
  if (password !== undefined) return { password, isRandom: false };
  return loopbackOnly
    ? { password: LOOPBACK_PASSWORD, isRandom: false }
    : { password: randomPassword(), isRandom: true };
}
