import { readFile } from 'node:fs/promises';
import { ensurePki, type Pki } from '../../pkg/certs/pki.js';
import type { PkiStore } from '../../pkg/certs/store.js';
import type { Settings } from '../../pkg/config/schema.js';
import { messageOf } from '../../pkg/errors/message.js';
import type { TlsMaterial } from '../../pkg/http/server.js';

export interface Tls {
  readonly pki: Pki;
  readonly material: TlsMaterial;
}

/** Addresses that stand for all addresses of this machine. A client cannot connect to them. */
export const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Renews our own certificates in time, and reads configured ones again. `store` keeps the authority; without it, files do. */
export async function loadTls(settings: Settings, clock: () => Date, store?: PkiStore): Promise<Tls> {
  const { cert_names: given, cert_file: certFile, key_file: keyFile, https_addr: address } = settings.server;
  const names = WILDCARDS.has(address) ? given : [...given, address];
  const pki = await ensurePki({ dir: settings.paths.data, names, clock, ...(store && { store }) });
  const clientCa = pki.ca;
  if (certFile === undefined || keyFile === undefined) return { pki, material: { ...pki.server, clientCa } };
  const [certificate, key] = await Promise.all([
    readPem('server.cert_file', certFile),
    readPem('server.key_file', keyFile),
  ]);
  return { pki, material: { certificate, key, clientCa } };
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(`${setting}: cannot read ${path}: ${messageOf(cause)}.`, { cause });
  }
}
