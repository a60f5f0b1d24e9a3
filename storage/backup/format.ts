import { z } from 'zod';
import { StorageError } from '../errors.js';

/**
 * A backup is a file of gzip. Its text begins with a line of JSON, the head. Each object is a line of JSON, then its
 * bytes and a line feed. The last line is the end, with the number of objects, and the SHA-256 of all bytes before it.
 * So `zcat` shows everything, and an incomplete file has no end.
 */
export const BACKUP = 'dashboard-apiserver backup';
/**
 * In version 1, objects had the rows of their indexes. This version does not need them, but servers of that time do.
 */
export const VERSION = 2;

export const BackupHead = z.object({
  format: z.literal(BACKUP),
  version: z.number(),
  /** The API domain. */
  domain: z.string().min(1),
  /** The end of the log. All objects are as they were at this revision. */
  revision: z.int().min(0),
  /** The time of the last commit in milliseconds. */
  at: z.number(),
  /** When the backup was made, in RFC 3339. */
  made: z.string(),
  /** The version of the program that made it. */
  by: z.string(),
  counters: z.record(z.string(), z.int()),
});
export type BackupHead = z.infer<typeof BackupHead>;

/** The line before the bytes of an object: its key, its revision and its length. */
export const ObjectLine = z.tuple(
  [z.string().regex(/^[^/]+\/[^/]*\/[^/]+$/), z.int().min(1), z.int().min(0)],
  z.unknown(),
);
export type ObjectLine = z.infer<typeof ObjectLine>;

export const BackupEnd = z.object({
  end: z.literal(true),
  objects: z.int(),
  /** How many there are of each resource. */
  resources: z.record(z.string(), z.int()),
  sha256: z.string(),
});
export type BackupEnd = z.infer<typeof BackupEnd>;

export function damagedBackup(path: string, what: string, cause?: unknown): StorageError {
  return new StorageError('refused', `${path} is damaged, so nothing is restored: ${what}`, { cause });
}
