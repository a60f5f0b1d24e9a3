import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Most file systems take 255 bytes. */
const LONGEST = 200;
const SUFFIX = '.yaml';

/** The folder with the files of one kind. */
export class ExportFolder {
  readonly #path: string;
  /** The names of the files that were written, as file systems that ignore case compare them. */
  readonly #written = new Map<string, string>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Writes the file of an object, unless it is there with this text. */
  async write(name: string, text: string): Promise<void> {
    if (this.#written.size === 0) await mkdir(this.#path, { recursive: true });
    const file = this.#fileOf(name);
    this.#written.set(file.toLowerCase(), file);
    const path = join(this.#path, file);
    const before = await readFile(path, 'utf8').catch(() => undefined);
    if (before !== text) await writeFile(path, text);
  }

  /** The files of objects that are not there any more. */
  async stale(): Promise<readonly string[]> {
    const files = existsSync(this.#path) ? await readdir(this.#path) : [];
    return files
      .filter((file) => file.endsWith(SUFFIX) && this.#written.get(file.toLowerCase()) !== file)
      .map((file) => join(this.#path, file));
  }

  /** Names that a file cannot have are escaped, and those that another object has taken, but for case, get a number. */
  #fileOf(name: string): string {
    const escaped = encodeURIComponent(name).replace(/[*.]/g, (char, at) =>
      char === '.' && at > 0 ? char : `%${char.charCodeAt(0).toString(16)}`,
    );
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
    const short = escaped.length <= LONGEST ? escaped : `${escaped.slice(0, LONGEST)}-${hash}`;
    const isTaken = this.#written.has(`${short}${SUFFIX}`.toLowerCase());
    return `${short}${isTaken ? `-${hash}` : ''}${SUFFIX}`;
  }
}

export async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path);
}
