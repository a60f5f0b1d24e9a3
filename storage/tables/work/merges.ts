/** Files are merged when there are so many of about the same size. */
const FEWEST = 4;
/**
 * How much larger than all smaller ones together a file may be. Files that were made of as many objects differ a
 * little.
 */
const ALIKE = 1.5;
/**
 * The most objects of a merged file, so that a merge ends in seconds, and its columns fit in memory while they are
 * made.
 */
export const MOST_MERGED = 2_000_000;

/** The size of what is left of a file: what it takes, and how many objects it has. */
export interface FileSize {
  readonly bytes: number;
  /** The bytes of objects that are gone. */
  readonly deletedBytes: number;
  readonly objects: number;
}

/**
 * The files to merge: some that are each not much larger than all smaller ones of them together. So there are few
 * files, and an object is written again only when about as much has come. None if there are too few.
 */
export function filesToMerge<File extends FileSize>(files: readonly File[]): readonly File[] {
  const sorted = files.toSorted((a, b) => a.bytes - b.bytes);
  for (let from = 0; from + FEWEST <= sorted.length; from++) {
    const run = runFrom(sorted, from);
    if (run.length >= FEWEST) return run;
  }
  return [];
}

/**
 * The file of which most is gone, if that is more than what is left. To write the rest again makes room on a disk that
 * is short of it.
 */
export function fileToShrink<File extends FileSize>(files: readonly File[]): File | undefined {
  const [candidate] = files.toSorted((a, b) => b.deletedBytes - a.deletedBytes);
  return candidate !== undefined && candidate.deletedBytes > candidate.bytes ? candidate : undefined;
}

function runFrom<File extends FileSize>(sorted: readonly File[], from: number): readonly File[] {
  let [end, bytes, objects] = [from, 0, 0];
  for (let file = sorted[end]; file !== undefined; file = sorted[++end]) {
    if ((end > from && file.bytes > ALIKE * bytes) || objects + file.objects > MOST_MERGED) break;
    bytes += file.bytes;
    objects += file.objects;
  }
  return sorted.slice(from, end);
}
