import type { KeyMaterial } from '../../apis/internal/signingkey/schema.js';
import type { KeyPair } from '../../pkg/identity/certs/generate.js';
import { SealBroken, type Sealer } from '../../pkg/identity/crypto/seal.js';

/** The name of the object that stores the authority. The ciphertexts are bound to it. */
export const AUTHORITY = 'certificate-authority';

export function sealed({ key, certificate }: KeyPair, sealer: Sealer): KeyMaterial {
  return { privateKey: sealer.seal(key, AUTHORITY), publicKey: certificate };
}

/**
 * Opens the key with the current secret key or, until its rotation is finished, with the previous one. Throws an error
 * for the operator.
 */
export function opened(material: KeyMaterial, sealer: Sealer): KeyPair {
  return { certificate: material.publicKey, key: openedSlot(material, sealer).key };
}

/** The key, and the ciphertext that `sealer` can read. */
function openedSlot({ privateKey, privateKeyBefore }: KeyMaterial, sealer: Sealer) {
  for (const text of [privateKey, privateKeyBefore]) {
    const key = text === undefined ? undefined : unsealed(text, sealer);
    if (text !== undefined && key !== undefined) return { key, text };
  }
  throw new Error(
    'security.secret_key is not the key of this database. All servers of a database need the same key. The first server wrote it to secret.key in its data folder. If the key was rotated, copy the new one.',
  );
}

function unsealed(text: string, sealer: Sealer): string | undefined {
  try {
    return sealer.unseal(text, AUTHORITY);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/**
 * Encrypts the key under the new secret key, and keeps it under the old one for servers that do not have the new one
 * yet. If an earlier rotation was not finished and its new key is lost, the old key can start another rotation. Throws
 * an error for the operator if `from` is the new key already.
 */
export function sealedAgain(material: KeyMaterial, from: Sealer, to: Sealer): KeyMaterial {
  const { key, text } = openedSlot(material, from);
  if (material.privateKeyBefore !== undefined && text === material.privateKey) throw new Error(SECRET_UNFINISHED);
  return { privateKey: to.seal(key, AUTHORITY), privateKeyBefore: text, publicKey: material.publicKey };
}

export const SECRET_UNFINISHED =
  'A rotation of the secret key is not finished. Finish it with adminctl rotate secret-key --finish.';

/**
 * Drops the ciphertexts under the previous secret key. Throws an error for the operator unless `sealer` has the new
 * one.
 */
export function sealedOnce({ privateKey, publicKey }: KeyMaterial, sealer: Sealer): KeyMaterial {
  const alone = { privateKey, publicKey };
  opened(alone, sealer);
  return alone;
}

/** Returns the same ciphertext for the same text. */
export function steady(sealer: Sealer): Sealer {
  const known = new Map<string, string>();
  return {
    seal: (text, context) => {
      const made = known.get(text) ?? sealer.seal(text, context);
      known.set(text, made);
      return made;
    },
    unseal: sealer.unseal,
    sealAlike: sealer.sealAlike,
  };
}
