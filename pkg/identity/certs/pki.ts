import { X509Certificate } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { makeFolder } from '../../system/files/make-folder.js';
import { ensureToken } from './admin-token.js';
import { type Authority, BACKDATED, isUsableCa, newCa, validFor } from './authority.js';
import { PUBLIC_MODE, readIfExists, SECRET_MODE, writeAtomically } from './files.js';
import { belongsTo, generateLeaf, isFresh, type KeyPair, type Leaf } from './generate.js';
import { filePkiStore, type PkiStore } from './store.js';
import { generationOf, type Trust, trustOf } from './trust.js';

/** The identities of this server and its administrator, in PEM. */
export interface Pki {
  /**
   * The certificates of the authorities that are trusted: one, or two while a rotation is not finished. The first signs
   * client certificates.
   */
  readonly ca: string;
  readonly trust: Trust;
  readonly server: KeyPair;
  /** The client certificate of the administrator: CN=admin, O=system:masters, and the generation as OU. */
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

const LEAF_DAYS = 397;

/**
 * Generates everything that is missing, ends soon, is for other names or of another authority, and keeps the rest. Call
 * it once a day.
 */
export async function ensurePki({ dir, names, clock, store }: PkiOptions): Promise<Pki> {
  const folder = join(dir, 'pki');
  makeFolder(folder);
  const now = clock();
  const adminToken = await ensureToken(join(dir, 'admin.token'));
  const authority = await ensureAuthority(store ?? filePkiStore(folder), now, () => inherited(folder, now));
  const { ca, generation } = authority;
  // Until the rotation is finished, clients that know only the earlier authority must be able to verify the server.
  const signer = authority.previous ?? ca;
  const trusted = [ca.certificate, ...(signer === ca ? [] : [signer.certificate])];
  // The file store has written it itself, and the operator might have changed it since.
  if (store !== undefined) await writeIfDifferent(join(folder, 'ca.crt'), trusted.join(''));
  const validity = validFor(LEAF_DAYS, now);
  const serverNames = [...new Set([...names, 'localhost', '127.0.0.1', '::1'])];
  const commonName = serverNames[0] ?? '';
  const server = await ensureLeaf(folder, 'server', signer, { commonName, names: serverNames, validity });
  const client = { commonName: 'admin', organizations: ['system:masters'], generation, validity };
  const admin = await ensureLeaf(folder, 'admin', ca, client);
  return { ca: trusted.join(''), trust: trustOf(trusted, generation), server, admin, adminToken };
}

/** The authority in the folder. It is that of an embedded store whose data was copied to a shared one. */
async function inherited(folder: string, now: Date): Promise<Authority | undefined> {
  const authority = await filePkiStore(folder)
    .load()
    // A server of a shared store has only the certificate here.
    .catch(() => undefined);
  return authority !== undefined && isUsableCa(authority.ca, now) ? authority : undefined;
}

/**
 * The stored authority. If there is none, the inherited one, so that clients need no new kubeconfig. Otherwise, or if
 * it ends, a new one.
 */
async function ensureAuthority(
  store: PkiStore,
  now: Date,
  inherit: () => Promise<Authority | undefined>,
): Promise<Authority> {
  const stored = await store.load();
  const first = stored === undefined ? await inherit() : undefined;
  if (first !== undefined) return store.replace(undefined, first);
  if (stored === undefined || !isUsableCa(stored.ca, now)) {
    return store.replace(stored, { ca: await newCa(now), generation: stored?.generation ?? '' });
  }
  const { previous, ...alone } = stored;
  return previous === undefined || isUsableCa(previous, now) ? stored : alone;
}

async function ensureLeaf(folder: string, name: string, ca: KeyPair, leaf: Leaf): Promise<KeyPair> {
  const [certificateFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const [certificate, key] = await Promise.all([readIfExists(certificateFile), readIfExists(keyFile)]);
  if (certificate !== undefined && key !== undefined) {
    const kept = { certificate, key };
    if (isUsableLeaf(kept, ca, leaf)) return kept;
  }
  const generated = await generateLeaf(ca, leaf);
  await writeAtomically(keyFile, generated.key, SECRET_MODE);
  await writeAtomically(certificateFile, generated.certificate, PUBLIC_MODE);
  return generated;
}

function isUsableLeaf(pair: KeyPair, ca: KeyPair, leaf: Leaf): boolean {
  try {
    const certificate = new X509Certificate(pair.certificate);
    const now = new Date(leaf.validity.from.getTime() + BACKDATED);
    const isForNames = isDeepStrictEqual(canonical(namesOf(certificate)), canonical(leaf.names ?? []));
    const isCurrent = generationOf(certificate) === (leaf.generation ?? '');
    return isForNames && isCurrent && isFresh(certificate, now) && belongsTo(pair, new X509Certificate(ca.certificate));
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

export function namesOf(certificate: X509Certificate): readonly string[] {
  const names = (certificate.subjectAltName ?? '').split(', ').filter((name) => name !== '');
  return names.map((name) => name.replace(/^(DNS|IP Address):/, ''));
}

async function writeIfDifferent(path: string, content: string): Promise<void> {
  if ((await readIfExists(path)) !== content) await writeAtomically(path, content, PUBLIC_MODE);
}
