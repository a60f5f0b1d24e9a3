import { z } from 'zod';

export const LastSeenSpec = z.strictObject({ at: z.iso.datetime() }).meta({ id: 'LastSeenSpec' });
export type LastSeenSpec = z.infer<typeof LastSeenSpec>;

/** Users by the time of their last call (`[milliseconds]`). */
export const BY_TIME = 'byTime';
