import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';

export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const made = new Map<string, Promise<Pair>>();

/** A certificate and its RSA key, which the tests of a process share by the name. */
export function pairNamed(name: string, end = new Date(Date.now() + 86_400_000)): Promise<Pair> {
  const pair = made.get(name) ?? make(name, end);
  made.set(name, pair);
  return pair;
}

async function make(name: string, notAfter: Date): Promise<Pair> {
  const keys = (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    notBefore: new Date(Date.now() - 2 * 86_400_000),
    notAfter,
    signingAlgorithm: ALGORITHM,
    keys,
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { certificate: certificate.toString('pem'), key: String(key) };
}

/** As the setting takes it. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Certificates of one key, which are quickly made. */
export async function certificatesOf(count: number): Promise<readonly string[]> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const made = Array.from({ length: count }, (_, n) =>
    X509CertificateGenerator.createSelfSigned({ name: [{ CN: [`key ${n}`] }], signingAlgorithm, keys }),
  );
  return (await Promise.all(made)).map((certificate) => certificate.toString('base64'));
}
