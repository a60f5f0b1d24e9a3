import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Writes other bytes over an object with this text, in each local file that has it. Returns in how many. */
export function damageLocalFiles(data: string, text: string): number {
  const folder = join(data, 'objects');
  let count = 0;
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.tables'))) {
    const path = join(folder, name);
    const at = readFileSync(path).indexOf(text);
    if (at < 0) continue;
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(text.length, 'Z'), 0, text.length, at);
    closeSync(file);
    count++;
  }
  return count;
}
