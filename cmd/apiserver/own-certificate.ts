import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { KeyPair } from '../../pkg/identity/certs/generate.js';
import { messageOf } from '../../pkg/system/errors/message.js';

const DAY = 86_400_000;
/** The operator is warned from this many milliseconds before the end of the certificate. */
const SOON = 14 * DAY;

/** The certificate in `server.cert_file` and the key in `server.key_file`. */
export interface OwnCertificate {
  readonly pair: KeyPair;
  /** A sentence for the operator if the certificate has expired or soon will. */
  readonly warning: string | undefined;
}

/**
 * Reads the files and checks that they go together, because the errors of TLS name no file. Rejects with a sentence for
 * the operator.
 */
export async function readOwnCertificate(certFile: string, keyFile: string, now: Date): Promise<OwnCertificate> {
  const [certificate, key] = await Promise.all([
    readPem('server.cert_file', certFile),
    readPem('server.key_file', keyFile),
  ]);
  const parsed = parseCertificate(certFile, certificate);
  if (!parsed.checkPrivateKey(parseKey(keyFile, key))) throw new Error(mismatch(certFile, keyFile));
  return { pair: { certificate, key }, warning: lifetimeWarning(certFile, parsed, now) };
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(`${setting}: cannot read ${path}: ${messageOf(cause)}.`, { cause });
  }
}

function parseCertificate(path: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    const wanted = 'Give a PEM file that begins with the certificate of the server';
    throw new Error(`server.cert_file: ${path} has no certificate in PEM: ${messageOf(cause)}. ${wanted}.`, { cause });
  }
}

function parseKey(path: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    const wanted = 'Give a PEM file with a private key that is not encrypted';
    throw new Error(`server.key_file: ${path} has no private key in PEM: ${messageOf(cause)}. ${wanted}.`, { cause });
  }
}

const mismatch = (certFile: string, keyFile: string): string =>
  `server.key_file: the key in ${keyFile} does not belong to the first certificate in ${certFile} (server.cert_file). Give the key of this certificate, and put the certificate before those of its authorities.`;

function lifetimeWarning(path: string, { validTo }: X509Certificate, now: Date): string | undefined {
  const end = Date.parse(validTo);
  if (end - now.getTime() > SOON) return undefined;
  const when = new Date(end).toISOString();
  const state = end < now.getTime() ? `has expired at ${when}, so clients refuse it` : `expires at ${when}`;
  return `server.cert_file: the certificate in ${path} ${state}. Replace it: the server reads the new file within seconds.`;
}
