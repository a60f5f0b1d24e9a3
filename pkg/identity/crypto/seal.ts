import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The text was sealed with another key, or it was changed. */
export class SealBroken extends Error {}

/** Encrypts texts that are stored where others can read them. */
export interface Sealer {
  /** Returns `v1:` and the base64url text of nonce, tag and ciphertext. */
  seal(text: string, context: string): string;
  /** Throws SealBroken. `context` must be the same as in `seal`, so a sealed text cannot be moved to another place. */
  unseal(sealed: string, context: string): string;
  /**
   * The same with a nonce that follows from text and context (a synthetic nonce), so that the same text at the same
   * place gives the same result. Two results tell only whether the texts are the same.
   */
  sealAlike(text: string, context: string): string;
}

const NONCE = 12;
const TAG = 16;
const PREFIX = 'v1:';

/** AES-256-GCM (NIST SP 800-38D) with a random nonce and a key that HKDF-SHA-256 (RFC 5869) derives from `secret`. */
export function sealer(secret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'dashboard-apiserver/seal/v1', 32));
  const nonceKey = Buffer.from(hkdfSync('sha256', secret, '', 'dashboard-apiserver/nonce/v1', 32));
  const sealWith = (nonce: Buffer, text: string, context: string): string => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  };
  return {
    seal: (text, context) => sealWith(randomBytes(NONCE), text, context),
    sealAlike: (text, context) => {
      const digest = createHmac('sha256', nonceKey)
        .update(JSON.stringify([context, text]))
        .digest();
      return sealWith(digest.subarray(0, NONCE), text, context);
    },
    unseal: (sealed, context) => {
      try {
        const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealBroken('sealed with another key, or damaged', { cause });
      }
    },
  };
}
