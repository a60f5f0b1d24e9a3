import { join } from 'node:path';
import { PUBLIC_MODE, readIfExists, SECRET_MODE, writeAtomically } from './files.js';
import type { KeyPair } from './generate.js';

/** Stores the certificate authority. Servers that share a database share the authority, so that each trusts the others' clients. */
export interface PkiStore {
  load(): Promise<KeyPair | undefined>;
  /**
   * Replaces `previous` (undefined if there is none) by `next`. Returns the stored authority, which is another server's if that server was
   * first.
   */
  replace(previous: KeyPair | undefined, next: KeyPair): Promise<KeyPair>;
}

/** Stores `ca.crt` and `ca.key` in a folder of one server. The store locks the data folder, so no other server writes there. */
export function filePkiStore(folder: string): PkiStore {
  const [certificateFile, keyFile] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  return {
    load: async () => {
      const [certificate, key] = await Promise.all([readIfExists(certificateFile), readIfExists(keyFile)]);
      // The key is written first. A key without a certificate remains from a crash, and its authority was never used.
      if (certificate === undefined) return undefined;
      if (key === undefined) throw new Error(keyIsMissing(folder));
      return { certificate, key };
    },
    replace: async (_previous, next) => {
      await writeAtomically(keyFile, next.key, SECRET_MODE);
      await writeAtomically(certificateFile, next.certificate, PUBLIC_MODE);
      return next;
    },
  };
}

const keyIsMissing = (folder: string): string =>
  `${folder} has ca.crt but not ca.key: restore ca.key, or remove ca.crt to generate a new certificate authority.`;
