import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend, Revision } from '../backend.js';
import type { Cacher } from '../cacher/cacher.js';
import { damageOf } from '../damage.js';
import type { Entry } from '../state/entry.js';
import type { State } from '../state/state.js';
import type { TableFile } from './checkpoint.js';
import { flushedIn, writeEntries } from './flush.js';
import type { TableFolder } from './folder.js';
import { mergedIn, mergedParts, sizeOf, writeMerged } from './merge.js';
import { filesToMerge } from './merges.js';

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

/** Writes what is in memory into files from time to time, and merges files, so that neither memory nor the number of files grows with the data. */
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

  #isDue(): boolean {
    const { cacher, folder } = this.#options;
    const { state } = cacher;
    if (folder.position === undefined) return true;
    if (state.revision === folder.position.revision) this.#since = Date.now();
    const bytes = this.#inMemory.reduce((sum, resource) => sum + state.resource(resource).bytes, 0);
    return bytes >= this.#limits.bytes || Date.now() - this.#since >= this.#limits.age;
  }

  async #flush(load: number): Promise<void> {
    const { cacher, folder } = this.#options;
    for (const file of folder.lost) await this.#mergeInto(load, [file]);
    const { state } = cacher;
    const flushed = new Map(this.#inMemory.map((resource) => [resource, [...state.resource(resource).memory()]]));
    if (flushed.size > 0) {
      const file = await folder.write((sink) => writeEntries(sink, flushed));
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
      const files = filesToMerge(sizes).map(({ file }) => file);
      if (files.length === 0 || this.#stop.signal.aborted) return;
      await this.#mergeInto(load, files);
      if (folder.position !== undefined) await this.#keep(load, folder.position.revision);
    }
  }

  /** Writes what is left of some files to a new one. */
  async #mergeInto(load: number, files: readonly TableFile[]): Promise<void> {
    const { cacher, folder } = this.#options;
    const merged = mergedParts(files, cacher.state);
    const file = await folder.write((sink) => writeMerged(sink, merged));
    await this.#install(load, file, (current) => current.keptAs(mergedIn(current, merged, file)), files);
  }
}
