import { randomBytes } from 'node:crypto';
import { readIfExists, SECRET_MODE, writeAtomically, writeUnlessExists } from './files.js';

const SHORTEST = 32;

const newToken = (): string => `${randomBytes(32).toString('base64url')}\n`;

/** The token in the file, which is made if there is none. */
export async function ensureToken(path: string): Promise<string> {
  await writeUnlessExists(path, newToken(), SECRET_MODE);
  const token = ((await readIfExists(path)) ?? '').trim();
  if (token.length >= SHORTEST) return token;
  throw new Error(`${path} must contain a token of at least ${SHORTEST} characters; remove the file to generate one.`);
}

/** Replaces the token. Throws an error for the operator if there is none. */
export async function rotateToken(path: string): Promise<void> {
  if ((await readIfExists(path)) === undefined) {
    throw new Error(`There is no ${path}. Set --paths.data to the data folder of a server.`);
  }
  await writeAtomically(path, newToken(), SECRET_MODE);
}
