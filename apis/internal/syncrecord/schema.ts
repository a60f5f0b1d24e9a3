import { z } from 'zod';

/** What the last synchronization with a provider did. Only the server writes it. */
export const SyncRecordSpec = z
  .strictObject({
    /** When it ended. */
    at: z.iso.datetime(),
    /** People whom the provider named. */
    people: z.int(),
    disabled: z.int(),
    enabled: z.int(),
    /** Who has left, but stays. */
    kept: z.int(),
    /** Who stays as before because of an error. Absent in records of earlier versions. */
    failed: z.int().optional(),
    /** Why it is not complete: the first reasons. */
    problems: z.array(z.string()),
  })
  .meta({ id: 'SyncRecordSpec' });
export type SyncRecordSpec = z.infer<typeof SyncRecordSpec>;
