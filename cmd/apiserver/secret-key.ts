import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfExists, SECRET_MODE, writeUnlessExists } from '../../pkg/certs/files.js';
import type { Settings } from '../../pkg/config/schema.js';

/** The key that encrypts secrets in the database: the setting, or the key in the data folder, which the first start creates. */
export async function secretKey({ security, paths }: Settings): Promise<string> {
  if (security.secret_key !== undefined) return security.secret_key;
  await mkdir(paths.data, { recursive: true, mode: 0o700 });
  const path = join(paths.data, 'secret.key');
  await writeUnlessExists(path, randomBytes(32).toString('base64url'), SECRET_MODE);
  const key = await readIfExists(path);
  if (key === undefined || key.trim() === '')
    throw new Error(`${path} is empty. Restore the key, or set security.secret_key.`);
  return key.trim();
}
