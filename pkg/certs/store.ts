import { join } from 'node:path';
import { PUBLIC_MODE, readIfThere, SECRET_MODE, writeAtomically } from './files.js';
import type { KeyPair } from './generate.js';

/** Where the certificate authority is kept. Servers that share a database share one, so that each trusts the others' clients. */
export interface PkiStore {
  load(): Promise<KeyPair | undefined>;
  /**
   * Puts `next` in the place of `previous` (undefined: of nothing) and answers what is kept afterwards: someone else's when they
   * were first.
   */
  replace(previous: KeyPair | undefined, next: KeyPair): Promise<KeyPair>;
}

/** `ca.crt` and `ca.key` in a folder that one server owns (the data folder is locked by its store). */
export function filePkiStore(folder: string): PkiStore {
  const [certificateFile, keyFile] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  return {
    load: async () => {
      const [certificate, key] = await Promise.all([readIfThere(certificateFile), readIfThere(keyFile)]);
      // The key is written first: alone, it is what a crash left of a certificate authority that was never used.
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
  `${folder} has ca.crt but not ca.key: bring ca.key back, or remove ca.crt to have a new certificate authority made.`;
