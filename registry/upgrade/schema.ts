import { z } from 'zod';

/** The name of the kind, and of its only object. */
export const STORE_SCHEMA = 'StoreSchema';
export const SCHEMA_NAME = 'data';

/** The version of data that has no version. */
export const FIRST_VERSION = 1;

export const StoreSchemaSpec = z
  .strictObject({
    /** The data is complete in this version. */
    version: z.int().min(1),
    /** The oldest version of the server's data that a server must know to work with the data. */
    reads: z.int().min(1),
    /** A migration that is not finished. */
    migration: z
      .strictObject({
        to: z.int().min(1),
        /** The resource and the position that were migrated last. The next step begins after them. */
        resource: z.string().max(400),
        position: z.string().max(3000),
        /** How many objects were looked at. */
        done: z.int().min(0),
      })
      .optional(),
  })
  .meta({ id: 'StoreSchemaSpec' });
export type StoreSchemaSpec = z.infer<typeof StoreSchemaSpec>;
