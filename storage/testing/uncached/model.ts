import type { Backend, Change, IndexRange, Revision } from '../../backend.js';
import { decodeObject } from '../../codec.js';
import { resourceOf } from '../../key.js';
import { Signal } from '../../signal.js';
import { rowKey } from '../../tuple.js';
import { text } from '../backend/fixture.js';
import { NOTES, type PlainRow, rowsOf, type Spec } from './fixture.js';

/** The naive model. It keeps every change of the log and replays them for each question. */
export class History {
  readonly #changes: Change[] = [];
  readonly #grown = new Signal();
  #stop = new AbortController();
  #following: Promise<void> | undefined;

  constructor(backend: Backend) {
    this.follow(backend);
  }

  get end(): Revision {
    return this.#changes.length;
  }

  /** Resolves when the model has every change that was made before the call. */
  async catchUp(backend: Backend): Promise<void> {
    const end = await backend.end();
    while (this.end < end) await this.#grown.wait(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  /** Continues after the last known change, also on a store that was opened again. */
  follow(backend: Backend): void {
    this.#stop = new AbortController();
    this.#following = this.#follow(backend);
  }

  rows({ index, from, to, limit, reverse }: IndexRange, revision: Revision): readonly PlainRow[] {
    const state = new Map<string, Change>();
    for (const change of this.#changes.slice(0, revision)) {
      if (change.value === undefined) state.delete(change.key);
      else if (resourceOf(change.key) === NOTES) state.set(change.key, change);
    }
    const rows = [...state.values()]
      .flatMap((change) => rowsAt(change, index))
      .filter((row) => row.rowKey >= from && row.rowKey < to)
      .sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
    return (reverse === true ? rows.reverse() : rows).slice(0, limit);
  }

  async #follow(backend: Backend): Promise<void> {
    for await (const { changes } of backend.tail(this.end, this.#stop.signal)) {
      this.#changes.push(...changes);
      this.#grown.notify();
    }
  }
}

function rowsAt({ key, revision, value }: Change, index: string | undefined): readonly PlainRow[] {
  if (value === undefined) return [];
  const row = (at: string): PlainRow => ({ rowKey: at, revision, value: text(value) });
  if (index === undefined) return [row(key)];
  const { spec } = decodeObject(value) as { spec: Spec };
  return rowsOf(spec)
    .filter((one) => one.index === index)
    .map(({ tuple }) => row(rowKey(tuple, key)));
}
