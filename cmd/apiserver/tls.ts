import type { Settings } from '../../pkg/config/schema.js';
import type { TlsMaterial } from '../../pkg/http/server.js';
import { ensurePki, type Pki } from '../../pkg/identity/certs/pki.js';
import type { PkiStore } from '../../pkg/identity/certs/store.js';
import { readOwnCertificate } from './own-certificate.js';

export interface Tls {
  readonly pki: Pki;
  readonly material: TlsMaterial;
  /** A sentence for the operator about the configured certificate. */
  readonly warning?: string | undefined;
}

/** Addresses that stand for all addresses of this machine. A client cannot connect to them. */
export const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Renews our own certificates in time, and reads configured ones again. `store` keeps the authority; without it, files
 * do.
 */
export async function loadTls(settings: Settings, clock: () => Date, store?: PkiStore): Promise<Tls> {
  const { cert_names: given, cert_file: certFile, key_file: keyFile, https_addr: address } = settings.server;
  const names = WILDCARDS.has(address) ? given : [...given, address];
  const pki = await ensurePki({ dir: settings.paths.data, names, clock, ...(store && { store }) });
  const clientCa = pki.ca;
  if (certFile === undefined || keyFile === undefined) return { pki, material: { ...pki.server, clientCa } };
  const { pair, warning } = await readOwnCertificate(certFile, keyFile, clock());
  return { pki, material: { ...pair, clientCa }, warning };
}
