import { z } from 'zod';

/** What was sent of one object. Only the server writes it. */
export const SentObject = z
  .strictObject({
    folder: z.string(),
    hash: z.string(),
    version: z.int().optional(),
    access: z.string().optional(),
    isUnknown: z.literal(true).optional(),
    isShut: z.literal(true).optional(),
    isAdopted: z.literal(true).optional(),
    id: z.int().optional(),
    answered: z.string().optional(),
  })
  .meta({ id: 'MirrorRecordObject' });

export const MirrorRecordSpec = z
  .strictObject({
    /** metadata.name of the mirror. */
    mirror: z.string(),
    /** Stands for the address and the organization. What was sent to another place says nothing. */
    place: z.string(),
    /** What was sent, by `kind/name`. */
    objects: z.record(z.string(), SentObject),
    /** What the mirror has created and left there, by `kind/name`. */
    left: z.array(z.string()).optional(),
    /** What was begun and is not confirmed, by `kind/name`. One record of a mirror has it. */
    begun: z.array(z.string()).optional(),
  })
  .meta({ id: 'MirrorRecordSpec' });
export type MirrorRecordSpec = z.infer<typeof MirrorRecordSpec>;

/** Records by mirror: `[namespace, mirror]`. */
export const BY_MIRROR = 'byMirror';
