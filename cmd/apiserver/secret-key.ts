import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPem, type Settings } from '../../pkg/config/schema.js';
import { readIfExists, SECRET_MODE, writeUnlessExists } from '../../pkg/identity/certs/files.js';
import { makeFolder } from '../../pkg/system/files/make-folder.js';

export const secretKeyFile = ({ paths }: Settings): string => join(paths.data, 'secret.key');

/** The file of a new key, which replaces the other file when everything is encrypted under it. */
export const newSecretKeyFile = (settings: Settings): string => `${secretKeyFile(settings)}.new`;

export const newSecretKey = (): string => randomBytes(32).toString('base64url');

/**
 * The key that encrypts secrets in the database: the setting, or the key in the data folder, which the first start
 * creates.
 */
export async function secretKey(settings: Settings): Promise<string> {
  const kept = await existingSecretKey(settings);
  if (kept !== undefined) return kept;
  makeFolder(settings.paths.data);
  await writeUnlessExists(secretKeyFile(settings), newSecretKey(), SECRET_MODE);
  return (await existingSecretKey(settings)) ?? '';
}

/** The same key; undefined if there is none yet. */
export async function existingSecretKey(settings: Settings): Promise<string | undefined> {
  if (settings.security.secret_key !== undefined) return settings.security.secret_key;
  const path = secretKeyFile(settings);
  const key = (await readIfExists(path))?.trim();
  if (key === '') throw new Error(`${path} is empty. Restore the key, or set security.secret_key.`);
  if (key !== undefined && NO_TEXT.test(key))
    throw new Error(
      `${path} is no text, so it is damaged, or of another program. Restore the key, or set security.secret_key.`,
    );
  if (key !== undefined && isPem(key))
    throw new Error(
      `${path} is PEM, such as a certificate or a private key, so it is the file of something else. Restore the secret key, or set security.secret_key.`,
    );
  return key;
}

/** Control characters, as in a file of zeros, and what stands for bytes that are no UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
const NO_TEXT = /[\x00-\x08\x0e-\x1f\x7f\ufffd]/;

/**
 * The key as it is now, after `secretKey` has made sure that there is one. Read without waiting, because rules of kinds
 * need it in a commit.
 */
export function secretKeyNow(settings: Settings): string {
  return settings.security.secret_key ?? readFileSync(secretKeyFile(settings), 'utf8').trim();
}
