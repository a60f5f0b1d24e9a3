import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BitSet } from '../../pkg/collections/bit-set.js';
import { lockFile } from '../../pkg/files/lock-file.js';
import { makeFolder } from '../../pkg/files/make-folder.js';
import type { Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import type { ResourceDefinition } from '../resource.js';
import type { State } from '../state.js';
import { openTables, type Tables, writeTables } from './file.js';
import type { FileLayout } from './layout.js';
import { type Manifest, type Proof, readManifest, writeManifest } from './manifest.js';
import { Part } from './part.js';
import type { Sink } from './sink.js';

/** A file with tables. */
export interface TableFile {
  readonly name: string;
  readonly tables: Tables;
}

/** Where in the log of which store the tables are. */
export interface Position {
  /** All changes up to here are in the tables. */
  readonly revision: Revision;
  /** The newest change that has left anything in them. It proves that the store is the same. */
  readonly newest: Revision;
  readonly proof: Proof;
}

/** What a folder keeps of a store. */
export interface Checkpoint extends Position {
  /** The tables by resource, without what is gone. */
  readonly parts: ReadonlyMap<string, readonly Part[]>;
}

const MANIFEST = 'manifest';
const LOCK = 'lock';
const SUFFIX = '.tables';

export interface FolderOptions {
  readonly path: string;
  /** Identifies what extracts the rows and attributes. What another program has kept is thrown away. */
  readonly program: string;
  /** The resources whose objects stay in memory. */
  readonly inMemory: (resource: string) => boolean;
}

/** The folder in which a server keeps tables. All of it can be made again from the store. */
export class TableFolder {
  readonly #options: FolderOptions;
  readonly #definitions: ReadonlyMap<string, ResourceDefinition>;
  readonly #unlock: () => Promise<void>;
  #files: readonly TableFile[] = [];
  /** The names of files that are not used any more, but are in the manifest. */
  #retired: string[] = [];
  #made = 0;
  #position: Position | undefined;

  constructor(
    options: FolderOptions,
    definitions: ReadonlyMap<string, ResourceDefinition>,
    unlock: () => Promise<void>,
  ) {
    this.#options = options;
    this.#definitions = definitions;
    this.#unlock = unlock;
  }

  /** Takes a folder for this process. Throws `refused` if another process has it. */
  static async open(options: FolderOptions, definitions: readonly ResourceDefinition[]): Promise<TableFolder> {
    makeFolder(options.path);
    const unlock = await lockFile(join(options.path, LOCK));
    if (unlock === undefined) throw new StorageError('refused', inUse(options.path));
    const kept = definitions.filter(({ resource }) => !options.inMemory(resource));
    return new TableFolder(options, new Map(kept.map((one) => [one.resource, one])), unlock);
  }

  /** Up to where what is kept is durable. `undefined`: nothing is. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** The resources whose objects it keeps. */
  get resources(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  keeps(resource: string): boolean {
    return this.#definitions.has(resource);
  }

  /** The files that are used. */
  get files(): readonly TableFile[] {
    return this.#files;
  }

  /** What the folder has. `undefined` if that is nothing, foreign or damaged. It is then empty. */
  async load(): Promise<Checkpoint | undefined> {
    const manifest = await readManifest(join(this.#options.path, MANIFEST));
    const checkpoint = manifest?.program === this.#options.program ? await this.#open(manifest) : undefined;
    await this.#clean(checkpoint === undefined ? [] : [MANIFEST, ...this.#files.map(({ name }) => name)]);
    return checkpoint;
  }

  /** Brings what look-ups read into the page cache. Nobody has to wait for it. */
  async warm(): Promise<void> {
    for (const { tables } of this.#files) for (const { residence } of tables.values()) await residence.whenResident();
  }

  /** Throws away what it keeps. What is used stays readable for as long as it is used. */
  async clear(): Promise<void> {
    const names = [MANIFEST, ...this.#files.map(({ name }) => name), ...this.#retired];
    this.#files = [];
    this.#retired = [];
    this.#position = undefined;
    for (const name of names) await this.#remove(name);
  }

  /** Removes a file that is not used after all. */
  async discard({ name }: TableFile): Promise<void> {
    await this.#remove(name);
  }

  /** Writes a file, which nothing uses yet. */
  async write(tables: (sink: Sink) => Promise<FileLayout>): Promise<TableFile> {
    const name = `${++this.#made}${SUFFIX}`;
    const path = join(this.#options.path, name);
    try {
      await writeTables(path, tables);
      return { name, tables: await openTables(path, this.#definitions) };
    } catch (error) {
      await this.#remove(name);
      throw error;
    }
  }

  /** Uses a new file in place of others. What was used before stays until `keep`. */
  use(file: TableFile, instead: readonly TableFile[] = []): void {
    const at = instead[0] === undefined ? this.#files.length : this.#files.indexOf(instead[0]);
    const others = this.#files.filter((one) => !instead.includes(one));
    this.#files = [...others.slice(0, at), file, ...others.slice(at)];
    this.#retired.push(...instead.map(({ name }) => name));
  }

  /** Makes the files that are used now durable, with what is gone in a state, and removes all others. `proof` is about the revision of the state. */
  async keep(state: State, revision: Revision, proof: Proof): Promise<void> {
    const { program, path } = this.#options;
    const files = this.#files.map(({ name, tables }) => ({ name, gone: goneOf(tables, state) }));
    const position = { revision, newest: state.revision, proof };
    const manifest: Manifest = { program, ...position, files };
    const retired = this.#retired;
    await writeManifest(join(path, MANIFEST), manifest);
    this.#position = position;
    this.#retired = this.#retired.filter((name) => !retired.includes(name));
    for (const name of retired) await this.#remove(name);
  }

  async close(): Promise<void> {
    await this.#unlock();
  }

  async #open({ files, revision, newest, proof }: Manifest): Promise<Checkpoint | undefined> {
    const position = { revision, newest, proof };
    try {
      const parts = new Map<string, Part[]>();
      const opened: TableFile[] = [];
      for (const { name, gone } of files) {
        const tables = await openTables(join(this.#options.path, name), this.#definitions);
        opened.push({ name, tables });
        for (const [resource, table] of tables) {
          const bits = gone[resource];
          const part = new Part(table, bits === undefined ? new BitSet() : BitSet.of(Buffer.from(bits, 'base64')));
          parts.set(resource, [...(parts.get(resource) ?? []), part]);
        }
      }
      this.#files = opened;
      this.#position = position;
      this.#made = Math.max(0, ...opened.map(({ name }) => Number.parseInt(name, 10)));
      return { ...position, parts };
    } catch {
      // A file that is damaged or missing: the store has everything.
      return undefined;
    }
  }

  /** Removes all files but the lock and these. */
  async #clean(wanted: readonly string[]): Promise<void> {
    for (const name of await readdir(this.#options.path))
      if (name !== LOCK && !wanted.includes(name)) await this.#remove(name);
  }

  async #remove(name: string): Promise<void> {
    await rm(join(this.#options.path, name), { force: true, recursive: true });
  }
}

function inUse(path: string): string {
  return `Another process keeps its tables in ${path}. Each server needs a data folder of its own (paths.data).`;
}

function goneOf(tables: Tables, state: State): Readonly<Record<string, string>> {
  const gone: Record<string, string> = {};
  for (const [resource, table] of tables) {
    const part = state.resource(resource).partOf(table);
    if (part !== undefined && part.gone.size > 0)
      gone[resource] = Buffer.from(part.gone.bytes(table.length)).toString('base64');
  }
  return gone;
}
