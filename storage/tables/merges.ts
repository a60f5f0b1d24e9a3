/** Files are merged when there are so many of about the same size. */
const FEWEST = 4;
/** The most objects of a merged file, so that a merge ends in seconds, and its columns fit in memory while they are made. */
export const MOST_MERGED = 2_000_000;

/** The size of a file: what it takes, and how many objects it has. */
export interface FileSize {
  readonly bytes: number;
  readonly objects: number;
}

/**
 * How many of the newest files to merge: as many as are each no larger than all newer ones together. So there are few files, and an object is written again
 * only when twice as much has come after it. 0 if there are too few. The sizes are the newest first.
 */
export function filesToMerge(sizes: readonly FileSize[]): number {
  let [count, bytes, objects] = [0, 0, 0];
  for (const size of sizes) {
    if (count > 0 && size.bytes > bytes) break;
    if (objects + size.objects > MOST_MERGED) break;
    count++;
    bytes += size.bytes;
    objects += size.objects;
  }
  return count < FEWEST ? 0 : count;
}
