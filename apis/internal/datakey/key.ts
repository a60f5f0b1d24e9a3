import { randomBytes } from 'node:crypto';
import { SealBroken, type Sealer, sealer } from '../../../pkg/identity/crypto/seal.js';
import { DATA_KEY, type DataKeySpec } from './schema.js';

/** A data key, and the spec that stores it. */
export interface NewDataKey {
  readonly spec: DataKeySpec;
  readonly sealer: Sealer;
}

const KEY_BYTES = 32;

/**
 * Makes a data key that each of these secret keys opens. `before` is the previous secret key, during a rotation.
 * `replaced` is the previous data key, which the new one opens.
 */
export function newDataKey(secret: Sealer, before?: Sealer, replaced?: string): NewDataKey {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const made = sealer(key);
  const sealed = secret.seal(key, DATA_KEY);
  return {
    spec: {
      sealed,
      ...(before && { sealedBefore: before.seal(key, DATA_KEY) }),
      ...(replaced !== undefined && { earlier: made.seal(replaced, EARLIER) }),
    },
    sealer: made,
  };
}

/** What the previous data key is bound to. */
const EARLIER = 'earlier';

/**
 * Opens the data key. Undefined if the secret key is neither the current one nor the previous one of an unfinished
 * rotation.
 */
export function openDataKey(spec: DataKeySpec, secret: Sealer): Sealer | undefined {
  const key = dataKeyText(spec, secret);
  return key === undefined ? undefined : sealer(key);
}

/** The same as text. */
export function dataKeyText({ sealed, sealedBefore }: DataKeySpec, secret: Sealer): string | undefined {
  for (const text of [sealed, sealedBefore]) {
    const key = text === undefined ? undefined : unsealed(secret, text, DATA_KEY);
    if (key !== undefined) return key;
  }
  return undefined;
}

/**
 * The data key and the one before it, which decrypts what is in the log from before the last rotation. None if the
 * secret key does not open them.
 */
export function openDataKeys(spec: DataKeySpec, secret: Sealer): readonly Sealer[] {
  const current = openDataKey(spec, secret);
  if (current === undefined) return [];
  const earlier = spec.earlier === undefined ? undefined : unsealed(current, spec.earlier, EARLIER);
  return earlier === undefined ? [current] : [current, sealer(earlier)];
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
