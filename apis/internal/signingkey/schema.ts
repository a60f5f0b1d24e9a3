import { z } from 'zod';

export const SIGNING_KEYS = 'signingkeys';

const material = {
  /** Encrypted under `security.secret_key`. */
  privateKey: z.string().min(1).max(20_000),
  /** The same key encrypted under the previous secret key, until the rotation of the secret key is finished. */
  privateKeyBefore: z.string().min(1).max(20_000).optional(),
  publicKey: z.string().min(1).max(20_000),
};

export const KeyMaterial = z.strictObject(material);
export type KeyMaterial = z.infer<typeof KeyMaterial>;

export const SigningKeySpec = z
  .strictObject({
    algorithm: z.string().min(1).max(40),
    ...material,
    notAfter: z.iso.datetime().optional(),
    /** The previous key pair, until the rotation of the key is finished. */
    previous: KeyMaterial.optional(),
    /** The OU of valid client certificates. Absent: they have none. */
    generation: z.string().min(1).max(40).optional(),
  })
  .meta({ id: 'SigningKeySpec' });
export type SigningKeySpec = z.infer<typeof SigningKeySpec>;
