import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const ISSUER = 'https://issuer.example';
/** In seconds. */
const HOUR = 3600;

export interface Key {
  readonly kid: string;
  readonly private: CryptoKey;
  readonly public: JWK;
}

export async function makeKey(kid: string, alg = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, private: privateKey, public: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** A JSON Web Key Set. */
export const jwks = (...keys: readonly Key[]): string => JSON.stringify({ keys: keys.map((key) => key.public) });

export function signed(claims: Readonly<Record<string, unknown>>, key: Key, alg = 'ES256'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid: key.kid }).sign(key.private);
}

/** The claims of a token that is valid for an hour. `now` is in milliseconds. */
export function claimsAt(now: number, more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const iat = Math.floor(now / 1000);
  return { iss: ISSUER, aud: 'dash', iat, exp: iat + HOUR, ...more };
}

/** An issuer whose keys are in a file. */
export interface Issuer {
  readonly key: Key;
  readonly file: string;
  /** The settings of a server that accepts the tokens of the issuer. */
  readonly argv: readonly string[];
  close(): Promise<void>;
}

export async function openIssuer(): Promise<Issuer> {
  const folder = await mkdtemp(join(tmpdir(), 'jwks-'));
  const file = join(folder, 'jwks.json');
  const key = await makeKey('one');
  await writeFile(file, jwks(key));
  const argv = [`--auth.jwt.issuer=${ISSUER}`, '--auth.jwt.audience=dash', `--auth.jwt.jwks_file=${file}`];
  return { key, file, argv, close: () => rm(folder, { recursive: true }) };
}
