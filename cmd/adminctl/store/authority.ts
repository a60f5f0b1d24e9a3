import { join } from 'node:path';
import { SIGNING_KEYS, SigningKeySpec } from '../../../apis/internal/signingkey/schema.js';
import { readIfExists } from '../../../pkg/identity/certs/files.js';
import { filePkiStore } from '../../../pkg/identity/certs/store.js';
import { sealer } from '../../../pkg/identity/crypto/seal.js';
import { keyOf } from '../../../storage/key.js';
import { decodeObject } from '../../../storage/state/codec.js';
import type { Head, Receiver } from '../../../storage/transfer/snapshot.js';
import { AUTHORITY } from '../../apiserver/sealed-keys.js';
import { authorityOf } from '../../apiserver/stored-authority.js';

/**
 * Writes the authority of a shared store to the data folder, where a server on the embedded store has it. Returns the
 * text to print.
 */
export async function authorityTo(data: string, receiver: Receiver, { domain }: Pick<Head, 'domain'>): Promise<string> {
  const stored = await receiver.get(keyOf(`${SIGNING_KEYS}.internal.${domain}`, '', AUTHORITY));
  if (stored === undefined) return `Copy secret.key and pki to ${data}, too, if they are not there.`;
  const secret = (await readIfExists(join(data, 'secret.key')))?.trim();
  if (!secret) {
    return `The certificate authority is in the store, encrypted. Copy secret.key of a server to ${data}, and run the command again to write it to ${join(data, 'pki')}.`;
  }
  const { spec } = decodeObject(stored) as { readonly spec: unknown };
  await filePkiStore(join(data, 'pki')).replace(undefined, authorityOf(SigningKeySpec.parse(spec), sealer(secret)));
  return `The certificate authority of the servers is in ${join(data, 'pki')}.`;
}
