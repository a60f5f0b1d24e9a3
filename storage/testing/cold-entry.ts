import type { Bytes } from '../backend.js';
import type { Key } from '../key.js';
import { refuseColdRead, refusedPeriod } from '../state/cold-reads.js';
import { MemoryEntry } from '../state/entry.js';

/** An entry that only the disk has until it is loaded. `loads` is told its key. */
export class ColdEntry extends MemoryEntry {
  readonly #loads: string[];
  #isLoaded = false;

  constructor(key: string, loads: string[]) {
    super(key as Key, 1, Buffer.from('{}'), { labels: undefined, fields: undefined });
    this.#loads = loads;
  }

  override get value(): Bytes {
    if (!this.#isLoaded && refusedPeriod() !== 0) refuseColdRead(() => this.load());
    return super.value;
  }

  async load(): Promise<void> {
    this.#loads.push(this.key);
    this.#isLoaded = true;
  }
}
