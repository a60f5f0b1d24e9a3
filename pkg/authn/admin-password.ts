import { createHash, randomBytes } from 'node:crypto';
import { hashPassword } from './password.js';
import type { PasswordAccount } from './password-check.js';
import { MASTERS_GROUP, type UserInfo } from './user.js';

/** Keeps the hash of a password that the server made up. */
export interface PasswordHashFile {
  read(): Promise<string | undefined>;
  write(hash: string): Promise<void>;
}

export interface AdminPasswordOptions {
  readonly login: string;
  /** security.admin_password. */
  readonly password: string | undefined;
  /** Every address the server listens on is loopback. */
  readonly loopbackOnly: boolean;
  readonly file: PasswordHashFile;
}

export interface AdminAccount {
  readonly account: PasswordAccount;
  /** Made up just now: to be printed, this once. */
  readonly newPassword: string | undefined;
}

const LOOPBACK_PASSWORD = 'admin';
const RANDOM_BYTES = 18;

const revisionOf = (hash: string): string => createHash('sha256').update(hash).digest('base64url');

/** The administrator: the password given, "admin" while only this machine can reach the server, else a random one. */
export async function adminAccount({
  login,
  password,
  loopbackOnly,
  file,
}: AdminPasswordOptions): Promise<AdminAccount> {
  const user: UserInfo = { name: login, uid: '', groups: [MASTERS_GROUP], extra: {} };
  const withHash = (hash: string, newPassword?: string): AdminAccount => ({
    account: { user, hash, revision: revisionOf(hash) },
    newPassword,
  });
  if (password !== undefined) return withHash(await hashPassword(password));
  if (loopbackOnly) return withHash(await hashPassword(LOOPBACK_PASSWORD));
  const kept = await file.read();
  if (kept !== undefined && kept.trim() !== '') return withHash(kept.trim());
  const random = randomBytes(RANDOM_BYTES).toString('base64url');
  const hash = await hashPassword(random);
  await file.write(`${hash}\n`);
  return withHash(hash, random);
}

/** Addresses that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3}|(::ffff:)127(\.\d{1,3}){3})$/i.test(address);
}
