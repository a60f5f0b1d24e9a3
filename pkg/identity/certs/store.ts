import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Authority } from './authority.js';
import { PUBLIC_MODE, readIfExists, SECRET_MODE, writeAtomically } from './files.js';
import type { KeyPair } from './generate.js';

/**
 * Stores the certificate authority. Servers that share a database share the authority, so that each trusts the others'
 * clients.
 */
export interface PkiStore {
  load(): Promise<Authority | undefined>;
  /**
   * Replaces `previous` (undefined if there is none) by `next`. Returns the stored authority. If another writer was
   * first, that is the authority of the other writer.
   */
  replace(previous: Authority | undefined, next: Authority): Promise<Authority>;
}

const FILES = ['ca.crt', 'ca.key', 'admin.generation'] as const;

/** The files of `filePkiStore`. */
export const filesOfStore = (folder: string): readonly string[] => FILES.map((name) => join(folder, name));

/**
 * Stores `ca.crt`, `ca.key` and `admin.generation` in a folder of one server. The first two have the current authority,
 * and then the earlier one. The server and the operator's commands write there.
 */
export function filePkiStore(folder: string): PkiStore {
  const [certificateFile = '', keyFile = '', generationFile = ''] = filesOfStore(folder);
  const load = async (): Promise<Authority | undefined> => {
    const files = [certificateFile, keyFile, generationFile].map(readIfExists);
    const [certificates, keys, generation = ''] = await Promise.all(files);
    // The key is written first. A key without a certificate remains from a crash, and its authority was never used.
    if (certificates === undefined) return undefined;
    if (keys === undefined) throw new Error(keyIsMissing(folder));
    const [ca, previous] = pairsOf(blocksOf(certificates), blocksOf(keys));
    if (ca === undefined) throw new Error(`${certificateFile} or ${keyFile} has no PEM block: restore both files.`);
    return { ca, ...(previous && { previous }), generation: generation.trim() };
  };
  const replace = async (_old: Authority | undefined, next: Authority): Promise<Authority> => {
    const pairs = [next.ca, ...(next.previous === undefined ? [] : [next.previous])];
    const keys = pairs.map(({ key }) => key);
    const old = blocksOf((await readIfExists(keyFile)) ?? '');
    // A reader finds the key of each certificate at any time, also after a crash: keys come before their certificates,
    // and go after them.
    await writeAtomically(keyFile, [...new Set([...keys, ...old])].join(''), SECRET_MODE);
    await writeAtomically(certificateFile, pairs.map(({ certificate }) => certificate).join(''), PUBLIC_MODE);
    await writeAtomically(keyFile, keys.join(''), SECRET_MODE);
    if (next.generation !== '') await writeAtomically(generationFile, `${next.generation}\n`, SECRET_MODE);
    return next;
  };
  return { load, replace };
}

const keyIsMissing = (folder: string): string =>
  `${folder} has ca.crt but not ca.key: restore ca.key, or remove ca.crt to generate a new certificate authority.`;

function blocksOf(pem: string): readonly string[] {
  return (pem.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g) ?? []).map((block) => `${block}\n`);
}

/** The certificates with their keys, the current one first. An earlier one without a key is left out. */
function pairsOf(certificates: readonly string[], keys: readonly string[]): readonly KeyPair[] {
  return certificates.flatMap((certificate, index) => {
    const x509 = new X509Certificate(certificate);
    // A current one with the key of another is returned, because callers replace it.
    const key = keys.find((pem) => x509.checkPrivateKey(createPrivateKey(pem))) ?? (index === 0 ? keys[0] : undefined);
    return key === undefined ? [] : [{ certificate, key }];
  });
}
