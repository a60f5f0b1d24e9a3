import { z } from 'zod';

export const LeaseSpec = z
  .strictObject({
    /** The server that holds the lease; empty after its release. */
    holder: z.string().max(100),
    /**
     * The number of renewals. If it stands still, the holder is gone. Unlike a timestamp it does not depend on
     * synchronized clocks.
     */
    renewals: z.int().min(0),
  })
  .meta({ id: 'LeaseSpec' });
export type LeaseSpec = z.infer<typeof LeaseSpec>;
