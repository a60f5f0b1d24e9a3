import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend, Revision } from '../backend.js';
import type { Cacher } from '../cacher/cacher.js';
import type { Entry } from '../entry.js';
import { resourceOf } from '../key.js';
import type { State } from '../state.js';
import { buildTable } from './build.js';
import { flushedIn, writeEntries } from './flush.js';
import type { TableFile, TableFolder } from './folder.js';
import type { TableLayout } from './layout.js';
import { type FileSize, filesToMerge } from './merges.js';
import { proofOf } from './proof.js';
import { afterMerge, type MergedPart } from './rebase.js';
import type { Sink } from './sink.js';
import { PartSource } from './source.js';

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
      await this.#pause(this.#limits.interval);
      if (this.#isDue() && !(await this.#attempt(() => this.flush()))) await this.#pause(RETRY);
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
    const { state } = cacher;
    const flushed = new Map(this.#inMemory.map((resource) => [resource, [...state.resource(resource).memory()]]));
    if (flushed.size > 0) {
      const file = await folder.write((sink) => writeEntries(sink, flushed));
      await this.#install(load, file, (current) => current.keptAs(flushedIn(current, flushed, file)));
      this.#exchange(flushed, file);
    }
    await this.#keep(load, state.revision, newestOf(flushed.values()));
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

  /** `written` is the newest object that was written, if any was. */
  async #keep(load: number, revision: Revision, written?: Entry): Promise<void> {
    const { backend, cacher, folder } = this.#options;
    const { state } = cacher;
    const known = folder.position?.proof.object?.key;
    const object = written ?? (known && state.resource(resourceOf(known)).get(known)) ?? newestIn(state, folder.files);
    const proof = await proofOf(backend, state.revision, object, (resource) => folder.keeps(resource));
    if (load === cacher.load) await folder.keep(state, revision, proof);
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
      const { state } = cacher;
      const files = filesToMerge(folder.files.map((file) => ({ file, ...sizeOf(file, state) }))).map(
        ({ file }) => file,
      );
      if (files.length === 0 || this.#stop.signal.aborted) return;
      const merged = mergedParts(files, state);
      const file = await folder.write((sink) => writeMerged(sink, merged));
      await this.#install(load, file, (current) => current.keptAs(mergedIn(current, merged, file)), files);
      if (folder.position !== undefined) await this.#keep(load, folder.position.revision);
    }
  }
}

function newestOf(flushed: Iterable<readonly Entry[]>): Entry | undefined {
  let newest: Entry | undefined;
  for (const entries of flushed) {
    for (const entry of entries) if (newest === undefined || entry.revision > newest.revision) newest = entry;
  }
  return newest;
}

/** The newest object of the files. */
function newestIn(state: State, files: readonly TableFile[]): Entry | undefined {
  let newest: Entry | undefined;
  for (const { tables } of files) {
    for (const [resource, table] of tables) {
      const entry = state.resource(resource).partOf(table)?.newest();
      if (entry !== undefined && entry.revision > (newest?.revision ?? 0)) newest = entry;
    }
  }
  return newest;
}

/** What is left of a file. */
function sizeOf({ tables }: TableFile, state: State): FileSize {
  let [bytes, objects] = [0, 0];
  for (const [resource, table] of tables) {
    const part = state.resource(resource).partOf(table);
    if (part === undefined) continue;
    objects += part.size;
    bytes += (table.bytes * part.size) / table.length;
  }
  return { bytes, objects };
}

/** The parts of some files by resource, with space for the numbers that their objects get. */
function mergedParts(files: readonly TableFile[], state: State): Map<string, MergedPart[]> {
  const merged = new Map<string, MergedPart[]>();
  for (const { tables } of files) {
    for (const [resource, table] of tables) {
      const part = state.resource(resource).partOf(table);
      if (part === undefined) continue;
      const parts = merged.get(resource) ?? [];
      parts.push({ part, numbers: new Int32Array(0) });
      merged.set(resource, parts);
    }
  }
  return merged;
}

async function writeMerged(sink: Sink, merged: Map<string, MergedPart[]>) {
  const layout: Record<string, TableLayout> = {};
  for (const [resource, parts] of merged) {
    const sources = parts.map(({ part }) => new PartSource(part));
    if (parts.every(({ part }) => part.size === 0)) continue;
    const built = await buildTable(sink, sources);
    layout[resource] = built.layout;
    merged.set(
      resource,
      parts.map(({ part }, i) => ({ part, numbers: built.numbers[i] ?? new Int32Array(0) })),
    );
  }
  return layout;
}

function* mergedIn(current: State, merged: ReadonlyMap<string, readonly MergedPart[]>, { tables }: TableFile) {
  for (const [resource, parts] of merged)
    yield [resource, afterMerge(current.resource(resource), parts, tables.get(resource))] as const;
}
