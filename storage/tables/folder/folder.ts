import { randomBytes } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../../pkg/system/files/make-folder.js';
import type { Revision } from '../../backend.js';
import type { DamageError } from '../../damage.js';
import type { Definitions } from '../../state/definitions.js';
import type { State } from '../../state/state.js';
import { type FileTables, openTables, writeTables } from '../format/file.js';
import type { FileLayout } from '../format/layout.js';
import type { Sink } from '../format/sink.js';
import {
  type Checkpoint,
  type CheckpointPosition,
  MANIFEST,
  manifestIn,
  readCheckpoint,
  type TableFile,
  type Unusable,
} from './checkpoint.js';
import { DAMAGED, isOwn, refuseForeign, removeOwn, SUFFIX } from './foreign.js';
import { LOCKS, lockFolder, lockWriter, type Unlock } from './locks.js';
import { type Manifest, writeManifest } from './manifest.js';
import { DiskReservation } from './room.js';

const FIRST_WITHIN = 3_000;

export interface FolderOptions {
  readonly path: string;
  /** Identifies the program that extracts rows and attributes. The files of another program are thrown away. */
  readonly program: string;
  /** The resources whose objects stay in memory. */
  readonly inMemory: (resource: string) => boolean;
  /**
   * Several processes of a server use the folder, and one of them writes. Another process of the server has the lock of
   * the server.
   */
  readonly isShared?: boolean | undefined;
  /** The free bytes of the disk that are for a store beside the folder. Absent: there is none. */
  readonly reserve?: number | undefined;
  /** Milliseconds for the process that writes to keep something for the first time. */
  readonly firstWithin?: number;
  /** Called once for each file that is found to be damaged. */
  readonly onDamage?: ((error: DamageError) => void) | undefined;
}

/**
 * The folder in which a server keeps tables. All of it can be made again from the store. Only the process that writes
 * changes any file.
 */
export class TableFolder {
  readonly #options: FolderOptions;
  readonly #definitions: Definitions;
  /** The disk of the folder. */
  readonly reservation: DiskReservation;
  /** The locks that this process has. */
  #server: Unlock | undefined;
  #writer: Unlock | undefined;
  #isWriter = false;
  #files: readonly TableFile[] = [];
  /** The files that are used and were removed by the process that wrote before this one. */
  #lost: readonly TableFile[] = [];
  /** The names of files that are not used any more, but are in the manifest. */
  #retired: string[] = [];
  #made = 0;
  #position: CheckpointPosition | undefined;
  /** The manifest that the files were read from. */
  #manifest: string | undefined;
  #damage: DamageError | undefined;
  readonly #onDamage = (error: DamageError): void => {
    this.#damage = error;
    this.#options.onDamage?.(error);
  };

  constructor(options: FolderOptions, definitions: Definitions) {
    this.#options = options;
    this.#definitions = definitions;
    this.reservation = new DiskReservation(options.path, options.reserve ?? 0);
  }

  /** What is damaged of the files that are used. `undefined`: nothing that this process has read. */
  get damage(): DamageError | undefined {
    const isUsed = this.#files.some(({ checksums }) => checksums.path === this.#damage?.path);
    return isUsed ? this.#damage : undefined;
  }

  /** Tells the process that writes that a file is damaged. */
  async reportDamage(): Promise<void> {
    await writeFile(join(this.#options.path, DAMAGED), '', { mode: 0o600 });
  }

  /** Whether another process has told so. */
  async isReported(): Promise<boolean> {
    if (this.#options.isShared !== true) return false;
    return (await stat(join(this.#options.path, DAMAGED)).catch(() => undefined)) !== undefined;
  }

  /** Takes a folder for this process, or one for reading. Throws `refused` if another server has it. */
  static async open(options: FolderOptions, definitions: Definitions): Promise<TableFolder> {
    const folder = new TableFolder(options, definitions);
    await folder.#lock();
    return folder;
  }

  async #lock(): Promise<void> {
    const { path, isShared = false } = this.#options;
    makeFolder(path);
    await refuseForeign(path);
    if (!isShared) ({ server: this.#server, writer: this.#writer } = await lockFolder(path));
    this.#isWriter = await this.claim();
  }

  /** Whether this process writes. All others only read. */
  get isWriter(): boolean {
    return this.#isWriter;
  }

  /** Up to where what is kept is durable. `undefined`: nothing is. */
  get position(): CheckpointPosition | undefined {
    return this.#position;
  }

  /** Whether it keeps the objects of a resource. Those of others stay in memory. */
  keeps(resource: string): boolean {
    return !this.#options.inMemory(resource);
  }

  /** The files that are used. */
  get files(): readonly TableFile[] {
    return this.#files;
  }

  /** The files that are used and can be read, but have no name any more. Write their objects again before `keep`. */
  get lost(): readonly TableFile[] {
    return this.#lost;
  }

  /** What the folder has, or why that is nothing. If this process writes, the folder is then empty. */
  async load(): Promise<Checkpoint | Unusable> {
    const checkpoint = await this.#first();
    if (!('reason' in checkpoint)) this.attach(checkpoint);
    if (this.#isWriter) await this.clean(await this.names());
    return checkpoint;
  }

  /**
   * A process that does not write waits for a moment until something is kept, so that it need not have all objects in
   * memory.
   */
  async #first(): Promise<Checkpoint | Unusable> {
    const { firstWithin = FIRST_WITHIN } = this.#options;
    const deadline = Date.now() + firstWithin;
    for (;;) {
      const checkpoint = await this.read();
      if (!('reason' in checkpoint) || this.#isWriter || Date.now() >= deadline) return checkpoint;
      await sleep(100);
      this.#isWriter = await this.claim();
    }
  }

  /** What the folder has now, without using it. */
  read(): Promise<Checkpoint | Unusable> {
    const { path, program } = this.#options;
    return readCheckpoint({
      path,
      program,
      definitions: this.#definitions,
      open: this.#files,
      onDamage: this.#onDamage,
    });
  }

  /** Whether something is kept now, and whether this process uses it. */
  async manifestStatus(): Promise<'nothing' | 'used' | 'news'> {
    const manifest = await manifestIn(this.#options.path);
    if (manifest === undefined) return 'nothing';
    return manifest === this.#manifest ? 'used' : 'news';
  }

  /** Uses what the folder has. */
  attach({ manifest, files, revision, newest, commit }: Checkpoint): void {
    this.#manifest = manifest;
    this.#files = files;
    this.#position = { revision, newest, commit };
    this.#made = Math.max(0, ...files.map(({ name }) => Number.parseInt(name, 10)));
  }

  /** Takes the lock of the process that writes. Returns whether this process has it. */
  async claim(): Promise<boolean> {
    const unlock = this.#writer ?? (await lockWriter(this.#options.path));
    this.#writer ??= unlock;
    return this.#writer !== undefined;
  }

  /** The names of all files. */
  names(): Promise<readonly string[]> {
    return readdir(this.#options.path);
  }

  /**
   * Begins to write after `claim`, when there are files with these names. `isCurrent`: what is kept is what is used.
   */
  own(names: readonly string[], isCurrent: boolean): void {
    this.#isWriter = true;
    this.#lost = this.#files.filter(({ name }) => !names.includes(name));
    if (!isCurrent) this.#position = undefined;
  }

  /** Removes those of some files that are not used. Files that no server has made stay. */
  async clean(names: readonly string[]): Promise<void> {
    const usedNames = [...LOCKS, ...(this.#position ? [MANIFEST] : []), ...this.#files.map(({ name }) => name)];
    for (const name of names) if (isOwn(name) && !usedNames.includes(name)) await this.#remove(name);
  }

  /** Brings what look-ups read into the page cache. Nobody has to wait for it. */
  async warm(): Promise<void> {
    for (const { tables } of this.#files) for (const { residence } of tables.values()) await residence.whenResident();
  }

  /** Throws away what it keeps. What is used stays readable for as long as it is used. */
  async clear(): Promise<void> {
    const names = [DAMAGED, MANIFEST, ...this.#files.map(({ name }) => name), ...this.#retired];
    this.#files = [];
    this.#lost = [];
    this.#retired = [];
    this.#position = undefined;
    this.#manifest = undefined;
    if (this.#isWriter) for (const name of names) await this.#remove(name);
  }

  /** Removes a file that is not used after all. */
  async discard({ name }: TableFile): Promise<void> {
    await this.#remove(name);
  }

  /**
   * Writes a file of about so many bytes, which nothing uses yet. `freed`: the bytes that become free when it is used.
   * Throws, and leaves no part of it, if there is no room. No file ever has the name of another one, because other
   * processes know files by their names.
   */
  async write(tables: (sink: Sink) => Promise<FileLayout>, bytes = 0, freed = 0): Promise<TableFile> {
    this.reservation.ensure(bytes, freed);
    const name = `${++this.#made}-${randomBytes(6).toString('hex')}${SUFFIX}`;
    const path = join(this.#options.path, name);
    try {
      await writeTables(path, tables, (more) => this.reservation.ensure(more, freed));
      for (const { checksums } of this.#files) await checksums.confirm();
      return { name, ...(await openTables(path, this.#definitions, this.#onDamage)) };
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
    this.#lost = this.#lost.filter((one) => !instead.includes(one));
    this.#retired.push(...instead.map(({ name }) => name));
  }

  /** Makes the files that are used now durable, with what is gone in a state, and removes all others. */
  async keep(state: State, revision: Revision): Promise<void> {
    const { program, path } = this.#options;
    const files = this.#files.map(({ name, tables }) => ({ name, gone: goneOf(tables, state) }));
    const position = { revision, newest: state.revision, commit: state.commitId };
    const manifest: Manifest = { program, ...position, files };
    const retired = this.#retired;
    await writeManifest(join(path, MANIFEST), manifest);
    this.#position = position;
    this.#retired = this.#retired.filter((name) => !retired.includes(name));
    for (const name of retired) await this.#remove(name);
  }

  async close(): Promise<void> {
    await this.#writer?.();
    await this.#server?.();
  }

  async #remove(name: string): Promise<void> {
    await removeOwn(join(this.#options.path, name));
  }
}

function goneOf(tables: FileTables, state: State): Readonly<Record<string, string>> {
  const deleted: Record<string, string> = {};
  for (const [resource, table] of tables) {
    const part = state.resource(resource).partOf(table);
    if (part !== undefined && part.deleted.size > 0)
      deleted[resource] = Buffer.from(part.deleted.bytes(table.length)).toString('base64');
  }
  return deleted;
}
