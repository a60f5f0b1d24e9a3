import { z } from 'zod';

export const SigningKeySpec = z
  .strictObject({
    algorithm: z.string().min(1).max(40),
    /** Encrypted under `security.secret_key`. */
    privateKey: z.string().min(1).max(20_000),
    publicKey: z.string().min(1).max(20_000),
    notAfter: z.iso.datetime().optional(),
  })
  .meta({ id: 'SigningKeySpec' });
export type SigningKeySpec = z.infer<typeof SigningKeySpec>;
