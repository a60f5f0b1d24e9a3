import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend, Revision } from '../../backend.js';
import type { Cacher } from '../../cacher/cacher.js';
import { damageOf } from '../../damage.js';
import type { Entry } from '../../state/entry.js';
import type { State } from '../../state/state.js';
import type { TableFile } from '../folder/checkpoint.js';
import type { TableFolder } from '../folder/folder.js';
import { flushedIn, writeEntries } from './flush.js';
import { mergedIn, mergedParts, sizeOf, writeMerged } from './merge.js';
import { type FileSize, filesToMerge, fileToShrink } from './merges.js';

export interface CheckpointLimits {
  /** The objects in memory that are written to a file when they take so many bytes. */
  readonly bytes: number;
  /** Milliseconds after which they are written in any case, so that a start has little to read from the log. */
  readonly age: number;
  /** Milliseconds between two looks. */
  readonly interval: number;
}

export const CHECKPOINT_LIMITS: CheckpointLimits = { bytes: 16 * 2 ** 20, age: 5 * 60 * 1000, interval: 500 };

/** Milliseconds after a failure. The objects stay in memory meanwhile. */
const RETRY = 10_000;

export interface CheckpointerOptions {
  readonly backend: Backend;
  readonly cacher: Cacher;
  readonly folder: TableFolder;
  readonly limits?: CheckpointLimits;
  /** Called when objects could not be written. They stay in memory, and it is tried again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Writes what is in memory into files from time to time, and merges files, so that neither memory nor the number of
 * files grows with the data.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #limits: CheckpointLimits;
  readonly #stop = new AbortController();
  #since = Date.now();
  #running: Promise<void> | undefined;
  /** Why all objects are to be loaded again. */
  #renewal: string | undefined;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? CHECKPOINT_LIMITS;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends after a last flush, so that the next start reads nothing from the log. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    const { cacher, folder } = this.#options;
    const { load } = cacher;
    if (load !== undefined && cacher.state.revision !== folder.position?.revision)
      await this.#attempt(() => this.#flush(load));
  }

  /** Writes everything that is in memory. */
  async flush(): Promise<void> {
    const { load } = this.#options.cacher;
    if (load === undefined) return;
    await this.#flush(load);
    await this.#merge(load);
  }

  async #mergeFiles(): Promise<void> {
    const { load } = this.#options.cacher;
    if (load !== undefined && this.#options.folder.position !== undefined) await this.#merge(load);
  }

  async #run(): Promise<void> {
    // A server that was stopped may have left many files.
    await this.#attempt(() => this.#mergeFiles());
    while (!this.#stop.signal.aborted) {
      if (!(await this.#attempt(() => this.#renew()))) await this.#pause(RETRY);
      // What is deleted makes room only when files are written again without it.
      if (!this.#options.folder.reservation.keepsReserve(0)) await this.#attempt(() => this.#mergeFiles());
      // At once if nothing is kept yet, because the other processes of the server wait for it.
      const isDone = !this.#isDue() || (await this.#attempt(() => this.flush()));
      if (!isDone && this.#options.folder.damage === undefined) await this.#pause(RETRY);
      await this.#pause(this.#limits.interval);
    }
  }

  /** Nothing of a damaged file can be used, and merges would read it. */
  async #renew(): Promise<void> {
    const { cacher, folder } = this.#options;
    const { damage } = folder;
    if (damage !== undefined) this.#renewal = damageOf(damage);
    else if (await folder.isReported()) this.#renewal ??= 'another process of the server has found damage';
    if (this.#renewal === undefined) return;
    try {
      await cacher.renew(this.#renewal, this.#stop.signal);
      this.#renewal = undefined;
    } catch (error) {
      // The next start finds the damage again.
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#options.onError(error);
      return false;
    }
  }

  /** The resources with objects in memory that belong in a file. */
  get #inMemory(): readonly string[] {
    const { cacher, folder } = this.#options;
    const { state } = cacher;
    const isDue = (resource: string): boolean => folder.keeps(resource) && state.resource(resource).inMemory > 0;
    return [...state.resources].filter(isDue);
  }

  get #bytesInMemory(): number {
    const { state } = this.#options.cacher;
    return this.#inMemory.reduce((sum, resource) => sum + state.resource(resource).bytes, 0);
  }

  #isDue(): boolean {
    const { cacher, folder } = this.#options;
    const { state } = cacher;
    if (folder.position === undefined) return true;
    if (state.revision === folder.position.revision) this.#since = Date.now();
    return this.#bytesInMemory >= this.#limits.bytes || Date.now() - this.#since >= this.#limits.age;
  }

  async #flush(load: number): Promise<void> {
    const { cacher, folder } = this.#options;
    for (const file of folder.lost) await this.#mergeInto(load, [file]);
    const { state } = cacher;
    const flushed = new Map(this.#inMemory.map((resource) => [resource, [...state.resource(resource).memory()]]));
    if (flushed.size > 0) {
      const file = await folder.write((sink) => writeEntries(sink, flushed), this.#bytesInMemory);
      await this.#install(load, file, (current) => current.keptAs(flushedIn(current, flushed, file)));
      this.#exchange(flushed, file);
    }
    await this.#keep(load, state.revision);
    this.#since = Date.now();
  }

  /** The recent changes need not keep in memory what is in a file now. */
  #exchange(flushed: ReadonlyMap<string, readonly Entry[]>, { tables }: TableFile): void {
    const { cacher, folder } = this.#options;
    for (const [resource, entries] of flushed) {
      const table = tables.get(resource);
      const others = new Map(entries.map((entry, at) => [entry, table?.passing(at) ?? entry]));
      cacher.ring(resource).exchange(folder.position?.revision ?? 0, others);
    }
  }

  async #keep(load: number, revision: Revision): Promise<void> {
    const { cacher, folder } = this.#options;
    if (load === cacher.load) await folder.keep(cacher.state, revision);
  }

  async #install(
    load: number,
    file: TableFile,
    change: (state: State) => State,
    instead?: readonly TableFile[],
  ): Promise<void> {
    const { cacher, folder } = this.#options;
    try {
      await cacher.install(load, change);
    } catch (error) {
      await folder.discard(file);
      throw error;
    }
    folder.use(file, instead);
  }

  async #merge(load: number): Promise<void> {
    const { cacher, folder } = this.#options;
    for (;;) {
      const sizes = folder.files.map((file) => ({ file, ...sizeOf(file, cacher.state) }));
      const merged = this.#withRoom(sizes);
      if (merged.length === 0 || this.#stop.signal.aborted) return;
      const files = merged.map(({ file }) => file);
      const bytes = sumOf(merged, 'bytes');
      // Only a file that has no room otherwise may write into the reserve. It was found small enough for that.
      const freed = folder.reservation.takes(bytes) ? 0 : sumOf(merged, 'deletedBytes');
      await this.#mergeInto(load, files, bytes, freed);
      if (folder.position !== undefined) await this.#keep(load, folder.position.revision);
    }
  }

  /**
   * The files to merge. On a disk that is short of space: one that becomes smaller. None if there is no room for the
   * new file; it is tried again later.
   */
  #withRoom<File extends FileSize>(sizes: readonly File[]): readonly File[] {
    const { reservation } = this.#options.folder;
    const merged = filesToMerge(sizes);
    if (reservation.keepsReserve(sumOf(merged, 'bytes'))) return merged;
    const shrunk = fileToShrink(sizes.filter(({ bytes, deletedBytes }) => reservation.takes(bytes, deletedBytes)));
    return shrunk === undefined ? [] : [shrunk];
  }

  /** Writes what is left of some files to a new one. */
  async #mergeInto(load: number, files: readonly TableFile[], bytes = 0, freed = 0): Promise<void> {
    const { cacher, folder } = this.#options;
    const merged = mergedParts(files, cacher.state);
    const file = await folder.write((sink) => writeMerged(sink, merged), bytes, freed);
    await this.#install(load, file, (current) => current.keptAs(mergedIn(current, merged, file)), files);
  }
}

function sumOf(sizes: readonly FileSize[], part: 'bytes' | 'deletedBytes'): number {
  return sizes.reduce((sum, { [part]: bytes }) => sum + bytes, 0);
}
