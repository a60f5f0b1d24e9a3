import { statfsSync } from 'node:fs';
import type { Space } from './space.js';

/** The disk that a path is on. */
export function diskOf(path: string): Pick<Space, 'free' | 'total'> {
  const { bavail, blocks, bsize } = statfsSync(path);
  return { free: bavail * bsize, total: blocks * bsize };
}
