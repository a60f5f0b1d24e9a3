import { z } from 'zod';

/** The name of the key that encrypts the secrets of other objects. There is one. */
export const DATA_KEY = 'secrets';
/** The resource whose objects it encrypts. */
export const SECRETS = 'secrets';

export const DataKeySpec = z
  .strictObject({
    /** Encrypted under `security.secret_key`. */
    sealed: z.string().min(1).max(1000),
    /** The same key encrypted under the previous secret key, until the rotation of the secret key is finished. */
    sealedBefore: z.string().min(1).max(1000).optional(),
    /**
     * The data key before the last rotation, encrypted under this one. Older entries of the log are encrypted under it.
     */
    earlier: z.string().min(1).max(1000).optional(),
  })
  .meta({ id: 'DataKeySpec' });
export type DataKeySpec = z.infer<typeof DataKeySpec>;
