import {
  closeSync,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Numbers that look random and are the same for the same seed: at least 0 and less than the limit. */
export type Random = (limit: number) => number;

/** What may happen to a file of a folder. The bytes change in place, as a disk changes them. */
export type Damage = (path: string, random: Random) => void;

/** Calls back with an open file and its size. */
function within(path: string, change: (file: number, size: number) => void): void {
  const file = openSync(path, 'r+');
  try {
    change(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

/** Other bytes in some places. */
export const flipped: Damage = (path, random) =>
  within(path, (file, size) => {
    for (let left = 1 + random(8); left > 0 && size > 0; left--) {
      const at = random(size);
      const byte = Buffer.alloc(1);
      readSync(file, byte, 0, 1, at);
      writeSync(file, Buffer.from([(byte[0] as number) ^ (1 + random(255))]), 0, 1, at);
    }
  });

/** A page of zeros. */
export const zeroed: Damage = (path, random) =>
  within(path, (file, size) => {
    const at = 4096 * random(Math.ceil(size / 4096));
    writeSync(file, Buffer.alloc(Math.min(4096, size - at)), 0, undefined, at);
  });

/** Text in the place of other text. */
export const overwritten: Damage = (path, random) =>
  within(path, (file, size) => {
    const length = Math.min(400, size);
    writeSync(file, Buffer.alloc(length, 'Z'), 0, length, random(size - length + 1));
  });

export const truncated: Damage = (path, random) => within(path, (file, size) => ftruncateSync(file, random(size)));

/** Two files have each other's name. */
export const swapped: Damage = (path, random) => {
  const folder = join(path, '..');
  const others = tablesIn(folder).filter((one) => one !== path);
  const other = others[random(others.length)];
  if (other === undefined) return;
  renameSync(path, `${path}.x`);
  renameSync(other, path);
  renameSync(`${path}.x`, other);
};

/** A file has the content of another one. */
export const replaced: Damage = (path, random) => {
  const others = tablesIn(join(path, '..')).filter((one) => one !== path);
  const other = others[random(others.length)];
  if (other !== undefined) copyFileSync(other, path);
};

export function tablesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tables'))
    .sort()
    .map((name) => join(folder, name));
}
