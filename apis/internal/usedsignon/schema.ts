import { z } from 'zod';

export const UsedSignOnSpec = z
  .strictObject({
    /** When the sign-in would have expired. */
    ends: z.iso.datetime(),
  })
  .meta({ id: 'UsedSignOnSpec' });
export type UsedSignOnSpec = z.infer<typeof UsedSignOnSpec>;

/** By the end (`[milliseconds]`). */
export const BY_END = 'byEnd';
