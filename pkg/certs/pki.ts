import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { isIPv6, SocketAddress } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PUBLIC_MODE, readIfThere, SECRET_MODE, writeAtomically, writeUnlessThere } from './files.js';
import { belongsTo, generateCa, generateLeaf, isFresh, type KeyPair, type Leaf, type Validity } from './generate.js';
import { filePkiStore, type PkiStore } from './store.js';

/** Everything that identifies this server and its administrator, as PEM. */
export interface Pki {
  /** Certificate of the authority that client certificates must come from. */
  readonly ca: string;
  readonly server: KeyPair;
  /** Client certificate of the administrator: CN=admin, O=system:masters. */
  readonly admin: KeyPair;
  /** The administrator's bearer token. */
  readonly adminToken: string;
}

export interface PkiOptions {
  /** The data folder. */
  readonly dir: string;
  /** What the server certificate is made for, besides localhost and the loopback addresses. */
  readonly names: readonly string[];
  readonly clock: () => Date;
  /** Where the certificate authority is kept; by default in `pki/` beside the rest. */
  readonly store?: PkiStore;
}

const DAY = 86_400_000;
const CA_DAYS = 3_650;
const LEAF_DAYS = 397;
/** A clock that is a little behind ours should still take a new certificate for valid. */
const BACKDATED = 5 * 60_000;
const SHORTEST_TOKEN = 32;

/** Makes what is missing, out of date, for other names or of another authority; keeps the rest. Run it again each day. */
export async function ensurePki({ dir, names, clock, store }: PkiOptions): Promise<Pki> {
  const folder = join(dir, 'pki');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const now = clock();
  const adminToken = await ensureToken(join(dir, 'admin.token'));
  const ca = await ensureCa(store ?? filePkiStore(folder), now);
  await writeIfDifferent(join(folder, 'ca.crt'), ca.certificate);
  const validity = validFor(LEAF_DAYS, now);
  const serverNames = [...new Set([...names, 'localhost', '127.0.0.1', '::1'])];
  const server = await ensureLeaf(folder, 'server', ca, {
    commonName: serverNames[0] ?? '',
    names: serverNames,
    validity,
  });
  const client = { commonName: 'admin', organizations: ['system:masters'], validity };
  const admin = await ensureLeaf(folder, 'admin', ca, client);
  return { ca: ca.certificate, server, admin, adminToken };
}

const validFor = (days: number, now: Date): Validity => ({
  from: new Date(now.getTime() - BACKDATED),
  to: new Date(now.getTime() + days * DAY),
});

async function ensureCa(store: PkiStore, now: Date): Promise<KeyPair> {
  const kept = await store.load();
  if (kept !== undefined && isUsableCa(kept, now)) return kept;
  return store.replace(kept, await generateCa(validFor(CA_DAYS, now)));
}

/** An authority is kept to its end, not renewed early: a new one locks every kubeconfig out. */
function isUsableCa(pair: KeyPair, now: Date): boolean {
  const certificate = new X509Certificate(pair.certificate);
  return belongsTo(pair, certificate) && Date.parse(certificate.validTo) - now.getTime() > DAY;
}

async function ensureLeaf(folder: string, name: string, ca: KeyPair, leaf: Leaf): Promise<KeyPair> {
  const [certificateFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const [certificate, key] = await Promise.all([readIfThere(certificateFile), readIfThere(keyFile)]);
  if (certificate !== undefined && key !== undefined) {
    const kept = { certificate, key };
    if (isUsableLeaf(kept, ca, leaf)) return kept;
  }
  const made = await generateLeaf(ca, leaf);
  await writeAtomically(keyFile, made.key, SECRET_MODE);
  await writeAtomically(certificateFile, made.certificate, PUBLIC_MODE);
  return made;
}

function isUsableLeaf(kept: KeyPair, ca: KeyPair, leaf: Leaf): boolean {
  try {
    const certificate = new X509Certificate(kept.certificate);
    const now = new Date(leaf.validity.from.getTime() + BACKDATED);
    const isForNames = isDeepStrictEqual(canonical(namesOf(certificate)), canonical(leaf.names ?? []));
    return isForNames && isFresh(certificate, now) && belongsTo(kept, new X509Certificate(ca.certificate));
  } catch {
    return false; // Unreadable: made anew.
  }
}

/** Sorted and in one spelling: certificates are printed with full IPv6 addresses. */
function canonical(names: readonly string[]): readonly string[] {
  const spelling = (name: string): string =>
    isIPv6(name) ? new SocketAddress({ address: name, family: 'ipv6' }).address : name.toLowerCase();
  return names.map(spelling).sort();
}

/** The names and addresses of the certificate. */
export function namesOf(certificate: X509Certificate): readonly string[] {
  const names = (certificate.subjectAltName ?? '').split(', ').filter((name) => name !== '');
  return names.map((name) => name.replace(/^(DNS|IP Address):/, ''));
}

async function writeIfDifferent(path: string, content: string): Promise<void> {
  if ((await readIfThere(path)) !== content) await writeAtomically(path, content, PUBLIC_MODE);
}

async function ensureToken(path: string): Promise<string> {
  await writeUnlessThere(path, `${randomBytes(32).toString('base64url')}\n`, SECRET_MODE);
  const token = ((await readIfThere(path)) ?? '').trim();
  if (token.length >= SHORTEST_TOKEN) return token;
  throw new Error(`${path} must hold a token of at least ${SHORTEST_TOKEN} characters; remove it to have one made.`);
}
