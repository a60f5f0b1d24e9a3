import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseLink, replace } from './files.js';

/** No tool reads a file of this name as a manifest. */
const FILE = '.adminctl-import';
const HEAD = '# The files that adminctl import made, with the SHA-256 of their texts. Keep this file with them.';
const LINE = /^([0-9a-f]{64}) {2}(\S.*)$/;

/**
 * The files of a folder that imports made. It is kept in the folder, so that a later import knows which files it may
 * write over.
 */
export class MadeFiles {
  readonly #path: string;
  readonly #digests: ReadonlyMap<string, string>;

  constructor(folder: string) {
    this.#path = join(folder, FILE);
    refuseLink(this.#path);
    this.#digests = existsSync(this.#path) ? digestsIn(readFileSync(this.#path, 'utf8')) : new Map();
  }

  /** Below the folder. A record may come from somebody else, so a name that leads out of the folder is none. */
  get names(): readonly string[] {
    return [...this.#digests.keys()].filter((name) => !name.split('/').includes('..'));
  }

  /** Whether an import made the file with this text. */
  isAsMade(name: string, digest: string): boolean {
    return this.#digests.get(name) === digest;
  }

  /** Remembers files beside those that are remembered. */
  write(digests: ReadonlyMap<string, string>): void {
    const all = [...new Map([...this.#digests, ...digests])].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const text = `${[HEAD, ...all.map(([name, digest]) => `${digest}  ${name}`)].join('\n')}\n`;
    if (!existsSync(this.#path) || readFileSync(this.#path, 'utf8') !== text) replace(this.#path, text);
  }
}

function digestsIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').flatMap((line): readonly (readonly [string, string])[] => {
    const [, digest, name] = LINE.exec(line) ?? [];
    return digest === undefined || name === undefined ? [] : [[name, digest]];
  });
  return new Map(lines);
}
