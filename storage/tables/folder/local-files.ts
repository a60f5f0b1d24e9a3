import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stored } from '../../backend.js';
import { damageOf, isDamage } from '../../damage.js';
import { resourceOf } from '../../key.js';
import { asBuffer } from '../../state/codec.js';
import type { Definitions } from '../../state/definitions.js';
import { type OpenedFile, openTables } from '../format/file.js';
import { MANIFEST } from './checkpoint.js';
import { readManifest } from './manifest.js';

/**
 * Checks the files of objects in a data folder, also while a server uses them. It changes nothing, and takes no lock.
 */
export class LocalFiles {
  readonly #path: string;
  readonly #definitions: Definitions;
  readonly #files: OpenedFile[] = [];

  constructor(path: string, definitions: Definitions) {
    this.#path = path;
    this.#definitions = definitions;
  }

  /** Reads all of each file. Yields what is damaged. */
  async *problems(): AsyncGenerator<string, void, undefined> {
    const names = await readdir(this.#path).catch((): string[] => []);
    if (!names.includes(MANIFEST)) return;
    const manifest = await readManifest(join(this.#path, MANIFEST));
    if (manifest === undefined) {
      yield `${join(this.#path, MANIFEST)} is damaged, or of another version of the server`;
      return;
    }
    for (const { name } of manifest.files) {
      const problem = await this.#problemOf(join(this.#path, name));
      if (problem !== undefined) yield problem;
    }
  }

  /**
   * Whether the files have other bytes for an object of this revision than the store. The files have checksums, so
   * those of the store are damaged then. False if they do not have this revision.
   */
  differs({ key, revision, value }: Stored): boolean {
    for (const { tables } of this.#files) {
      const table = tables.get(resourceOf(key));
      const ordinal = table?.find(key) ?? -1;
      if (table === undefined || ordinal < 0) continue;
      const entry = table.passing(ordinal);
      if (entry.revision === revision) return !asBuffer(entry.value).equals(asBuffer(value));
    }
    return false;
  }

  async #problemOf(path: string): Promise<string | undefined> {
    try {
      const file = await openTables(path, this.#definitions);
      await file.checksums.scan(() => Promise.resolve());
      this.#files.push(file);
      return undefined;
    } catch (error) {
      if (isDamage(error)) return damageOf(error);
      // A server that runs has merged it meanwhile, or it is missing. Then the server makes all of them again at its
      // start.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
