import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type ConnectionOptions, getCiphers, type SecureVersion } from 'node:tls';
import type { LdapServerConfig } from './config.js';

const VERSIONS: Readonly<Record<string, SecureVersion>> = { 'TLS1.2': 'TLSv1.2', 'TLS1.3': 'TLSv1.3' };

/** Undefined for versions that are not offered: RFC 8996 forbids those before 1.2. */
export const tlsVersion = (name: string): SecureVersion | undefined =>
  Object.hasOwn(VERSIONS, name) ? VERSIONS[name] : undefined;

const CIPHERS: ReadonlySet<string> = new Set(getCiphers().map((name) => name.toUpperCase()));

/** The name by which OpenSSL knows a cipher suite of the registry of IANA; undefined if it has none. */
export function opensslCipher(name: string): string | undefined {
  const upper = name.toUpperCase();
  const words = upper
    .replace(/^TLS_/, '')
    .replace('_WITH_', '_')
    .replace(/AES_(\d+)_/, 'AES$1_')
    .replace(/_CBC_/, '_')
    .replace(/_CHACHA20_POLY1305_SHA256$/, '_CHACHA20_POLY1305')
    .replace(/^RSA_/, '');
  return [upper, words.replaceAll('_', '-')].find((cipher) => CIPHERS.has(cipher));
}

/** PEM from PEM, or from PEM in base64. */
export function pemOf(text: string): string {
  return text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
}

export function isCertificate(text: string): boolean {
  return parses(() => new X509Certificate(pemOf(text)));
}

export function isPrivateKey(text: string): boolean {
  return parses(() => createPrivateKey(pemOf(text)));
}

function parses(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** The options of a TLS connection to a host. Throws for files that cannot be read. */
export async function tlsOptions(config: LdapServerConfig, host: string): Promise<ConnectionOptions> {
  const { min_tls_version: oldest = '', tls_ciphers: ciphers = [], ssl_skip_verify: skips = false } = config;
  const ca = [...(await filesOf(config.root_ca_cert)), ...(config.root_ca_cert_value ?? []).map(pemOf)];
  const [cert] = config.client_cert_value ? [pemOf(config.client_cert_value)] : await filesOf(config.client_cert);
  const [key] = config.client_key_value ? [pemOf(config.client_key_value)] : await filesOf(config.client_key);
  const minVersion = tlsVersion(oldest);
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: !skips,
    ...(ca.length > 0 && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(minVersion !== undefined && { minVersion }),
    ...(ciphers.length > 0 && { ciphers: ciphers.flatMap((name) => opensslCipher(name) ?? []).join(':') }),
  };
}

function filesOf(paths = ''): Promise<readonly string[]> {
  return Promise.all(
    paths
      .split(/\s+/)
      .filter((path) => path !== '')
      .map((path) => readFile(path, 'utf8')),
  );
}
