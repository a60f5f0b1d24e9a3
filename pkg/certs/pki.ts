import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { isIPv6, SocketAddress } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PUBLIC_MODE, readIfExists, SECRET_MODE, writeAtomically, writeUnlessExists } from './files.js';
import { belongsTo, generateCa, generateLeaf, isFresh, type KeyPair, type Leaf, type Validity } from './generate.js';
import { filePkiStore, type PkiStore } from './store.js';

/** The identities of this server and its administrator, in PEM. */
export interface Pki {
  /** The certificate of the authority that signs client certificates. */
  readonly ca: string;
  readonly server: KeyPair;
  /** The client certificate of the administrator: CN=admin, O=system:masters. */
  readonly admin: KeyPair;
  /** The bearer token of the administrator. */
  readonly adminToken: string;
}

export interface PkiOptions {
  /** The data folder. */
  readonly dir: string;
  /** The names in the server certificate, in addition to localhost and the loopback addresses. */
  readonly names: readonly string[];
  readonly clock: () => Date;
  /** The store of the certificate authority; by default the folder `pki/`. */
  readonly store?: PkiStore;
}

const DAY = 86_400_000;
const CA_DAYS = 3_650;
const LEAF_DAYS = 397;
/** A new certificate is backdated, so that it is valid on machines whose clocks are a little behind. */
const BACKDATED = 5 * 60_000;
const MIN_TOKEN = 32;

/** Generates everything that is missing, expired, for other names or of another authority, and keeps the rest. Call it once a day. */
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

/** An authority is used until the day before it ends, because a new one invalidates every kubeconfig. */
function isUsableCa(pair: KeyPair, now: Date): boolean {
  const certificate = new X509Certificate(pair.certificate);
  return belongsTo(pair, certificate) && Date.parse(certificate.validTo) - now.getTime() > DAY;
}

async function ensureLeaf(folder: string, name: string, ca: KeyPair, leaf: Leaf): Promise<KeyPair> {
  const [certificateFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const [certificate, key] = await Promise.all([readIfExists(certificateFile), readIfExists(keyFile)]);
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
    return false; // An unreadable certificate is replaced.
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
  if ((await readIfExists(path)) !== content) await writeAtomically(path, content, PUBLIC_MODE);
}

async function ensureToken(path: string): Promise<string> {
  await writeUnlessExists(path, `${randomBytes(32).toString('base64url')}\n`, SECRET_MODE);
  const token = ((await readIfExists(path)) ?? '').trim();
  if (token.length >= MIN_TOKEN) return token;
  throw new Error(`${path} must contain a token of at least ${MIN_TOKEN} characters; remove the file to generate one.`);
}
