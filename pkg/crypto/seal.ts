import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What was sealed under another key, or changed since. */
export class SealBroken extends Error {}

/** Seals texts for keeping them in a place that others can read. */
export interface Sealer {
  /** `v1:` and base64url of nonce, tag and ciphertext. */
  seal(text: string, context: string): string;
  /** Throws SealBroken. `context` must be what it was sealed with: a sealed text cannot be moved to another place. */
  unseal(sealed: string, context: string): string;
}

const NONCE = 12;
const TAG = 16;
const PREFIX = 'v1:';

/** AES-256-GCM (NIST SP 800-38D) under a key derived from `secret` (HKDF-SHA-256, RFC 5869), with a random nonce each time. */
export function sealer(secret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'dashboard-apiserver/seal/v1', 32));
  return {
    seal: (text, context) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    unseal: (sealed, context) => {
      try {
        const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealBroken('sealed under another key, or damaged', { cause });
      }
    },
  };
}
