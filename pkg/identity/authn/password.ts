import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The cost parameters of scrypt; `ln` is the binary logarithm of N. */
export interface ScryptParameters {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and about 0.2 s: OWASP's password storage cheat sheet recommends r = 8 and p = 3 for N = 2^15. */
const PARAMETERS: ScryptParameters = { ln: 15, r: 8, p: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** A stored hash with greater parameters is damaged or hostile: one check would take seconds or gigabytes. */
const MAX: ScryptParameters = { ln: 20, r: 32, p: 16 };

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

function derive(password: string, salt: Buffer, { ln, r, p }: ScryptParameters, length: number): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 128 + 2 ** 21 };
  return scryptAsync(password.normalize('NFC'), salt, length, options);
}

/**
 * Returns `$scrypt$ln=15,r=8,p=3$salt$hash`. The parameters are stored with the hash so that they can be raised later.
 */
export async function hashPassword(password: string, parameters: ScryptParameters = PARAMETERS): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, parameters, HASH_BYTES);
  const { ln, r, p } = parameters;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

const ENCODED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w-]{16,})\$([\w-]{22,})$/;

/**
 * Whether the password matches the hash; false if the text is not such a hash. Occupies a thread of libuv's pool, so
 * use a `PasswordQueue`.
 */
export async function verifyPassword(password: string, encoded: string): Promise<boolean> {
  const match = ENCODED.exec(encoded);
  if (match === null) return false;
  const [ln = 0, r = 0, p = 0] = match.slice(1, 4).map(Number);
  if (ln > MAX.ln || r > MAX.r || p > MAX.p || ln * r * p === 0) return false;
  const hash = Buffer.from(match[5] ?? '', 'base64url');
  const derived = await derive(password, Buffer.from(match[4] ?? '', 'base64url'), { ln, r, p }, hash.length);
  return timingSafeEqual(derived, hash);
}
