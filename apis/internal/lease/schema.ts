import { z } from 'zod';

export const LeaseSpec = z
  .strictObject({
    /** The server that holds it; empty once it was given back. */
    holder: z.string().max(100),
    /** Counts its renewals: a number that stands still is a holder that is gone, whatever the clocks say. */
    renewals: z.int().min(0),
  })
  .meta({ id: 'LeaseSpec' });
export type LeaseSpec = z.infer<typeof LeaseSpec>;
