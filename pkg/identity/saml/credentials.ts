import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SignOnFailure } from '../signon/failure.js';

/** The certificate of this server and its private key, as PEM. */
export interface Credentials {
  readonly certificate: string;
  readonly key: string;
}

interface CredentialSettings {
  readonly certificate: string;
  readonly certificatePath: string;
  readonly privateKey: string;
  readonly privateKeyPath: string;
}

/** Undefined if none are set. Throws SignOnFailure for those that cannot be used. */
export async function credentialsOf(settings: CredentialSettings): Promise<Credentials | undefined> {
  const certificate = settings.certificate || (await contentOf(settings.certificatePath));
  const key = settings.privateKey || (await contentOf(settings.privateKeyPath));
  if (certificate === '' && key === '') return undefined;
  const [read, secret] = [readCertificate(certificate), readPrivateKey(key)];
  if (read === undefined) throw new SignOnFailure('settings', 'certificate is missing, or is no certificate');
  if (secret === undefined) throw new SignOnFailure('settings', 'private_key is missing, or is no RSA private key');
  if (!read.checkPrivateKey(secret)) throw new SignOnFailure('settings', 'private_key is not the one of certificate');
  return { certificate: read.toString(), key: String(secret.export({ type: 'pkcs8', format: 'pem' })) };
}

async function contentOf(path: string): Promise<string> {
  if (path === '') return '';
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new SignOnFailure('settings', 'certificate_path or private_key_path cannot be read', error);
  });
}

/** PEM, PEM in base64, or DER in base64. Undefined for anything else. */
export function readCertificate(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(bytesOf(text));
  } catch {
    return undefined;
  }
}

/** The same for an RSA key in PKCS #8 or PKCS #1. The library signs and decrypts only with RSA. */
export function readPrivateKey(text: string): KeyObject | undefined {
  const bytes = bytesOf(text);
  const forms = isPem(bytes) ? [{}] : [{ type: 'pkcs8' as const }, { type: 'pkcs1' as const }];
  for (const form of forms) {
    try {
      const key = createPrivateKey('type' in form ? { key: bytes, format: 'der', type: form.type } : bytes);
      return key.asymmetricKeyType === 'rsa' ? key : undefined;
    } catch {}
  }
  return undefined;
}

const isPem = (bytes: Buffer): boolean => bytes.includes('-----BEGIN ');

function bytesOf(text: string): Buffer {
  return text.includes('-----BEGIN ') ? Buffer.from(text) : Buffer.from(text, 'base64');
}
