import { readFile, stat } from 'node:fs/promises';
import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Milliseconds: keys are kept so long, fetched no more often than the cooldown however many unknown key ids are sent, and waited for so long. */
const REMOTE = { cacheMaxAge: 10 * 60_000, cooldownDuration: 30_000, timeoutDuration: 5_000 };

/** An issuer's keys from where it publishes them; an unknown key id makes them be fetched again, so that issuers can change keys. */
export function remoteKeys(url: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), REMOTE);
}

/** An issuer's keys from a file, read again when it has changed. */
export function fileKeys(path: string): JWTVerifyGetKey {
  let loaded: { readonly mark: string; readonly keys: JWTVerifyGetKey } | undefined;
  return async (header, token) => {
    const { mtimeMs, size } = await stat(path);
    const mark = `${mtimeMs} ${size}`;
    if (loaded?.mark !== mark) loaded = { mark, keys: createLocalJWKSet(await readKeys(path)) };
    return loaded.keys(header, token);
  };
}

/** Throws a sentence; what the file holds beyond its form is jose's to check. */
export async function readKeys(path: string): Promise<JSONWebKeySet> {
  try {
    const keys: unknown = JSON.parse(await readFile(path, 'utf8'));
    createLocalJWKSet(keys as JSONWebKeySet);
    return keys as JSONWebKeySet;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new errors.JWKSInvalid(`${path} holds no JSON Web Key Set: ${why}`, { cause });
  }
}
