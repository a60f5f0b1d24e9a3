import { randomBytes } from 'node:crypto';
import { SealBroken, type Sealer, sealer } from '../../../pkg/crypto/seal.js';
import { DATA_KEY, type DataKeySpec } from './schema.js';

/** A data key, and the spec that stores it. */
export interface NewDataKey {
  readonly spec: DataKeySpec;
  readonly sealer: Sealer;
}

const KEY_BYTES = 32;

/** Makes a data key that those who have one of these secret keys can open. The second is the one before, while it is rotated. */
export function newDataKey(secret: Sealer, before?: Sealer): NewDataKey {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const sealed = secret.seal(key, DATA_KEY);
  return {
    spec: { sealed, ...(before && { sealedBefore: before.seal(key, DATA_KEY) }) },
    sealer: sealer(key),
  };
}

/** Opens the data key. Undefined if the secret key is neither the current one nor, while its rotation is not finished, the one before. */
export function openDataKey({ sealed, sealedBefore }: DataKeySpec, secret: Sealer): Sealer | undefined {
  for (const text of [sealed, sealedBefore]) {
    const key = text === undefined ? undefined : unsealed(secret, text, DATA_KEY);
    if (key !== undefined) return sealer(key);
  }
  return undefined;
}

/** The text, or undefined if it was sealed with another key or for another place. */
export function unsealed(opener: Sealer, text: string, context: string): string | undefined {
  try {
    return opener.unseal(text, context);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
