import type { Bytes } from '../backend.js';
import type { Key } from '../key.js';
import { refuseColdRead, refusedPeriod } from '../state/cold-reads.js';
import { type EntryParts, MemoryEntry } from '../state/entry.js';
import type { Attributes } from '../state/resource.js';

/** An entry that only the disk has until it is loaded. `loads` is told its key, and what of it is loaded. */
export class ColdEntry extends MemoryEntry {
  readonly #loads: string[];
  #isLoaded = false;

  constructor(key: string, loads: string[], attributes: Partial<Attributes> = {}, value = '{}') {
    super(key as Key, 1, Buffer.from(value), { labels: undefined, fields: undefined, ...attributes });
    this.#loads = loads;
  }

  override get value(): Bytes {
    if (!this.#isLoaded && refusedPeriod() !== 0) refuseColdRead(() => this.load('all'));
    return super.value;
  }

  override isResident(): boolean {
    return this.#isLoaded;
  }

  override async load(wanted: EntryParts): Promise<void> {
    this.#loads.push(wanted === 'all' ? this.key : `${wanted} of ${this.key}`);
    this.#isLoaded = true;
  }
}
