import { iterate, type PolledBody } from '../../../pkg/http/polled-body.js';
import { defer } from '../../../pkg/system/yielding/yielding.js';

/** A part of a list, or what has to be waited for before the next one. */
export type Chunk = Buffer | Promise<void>;
export type Chunks = Iterator<Chunk, undefined>;

/** Waits in the chunks of a list. */
export function* awaited<Result>(work: Promise<Result>): Generator<Promise<void>, Result, undefined> {
  let results: readonly Result[] = [];
  const done = work.then((result) => {
    results = [result];
  });
  // Nobody may be left to learn of it.
  done.catch(() => undefined);
  yield done;
  return results[0] as Result;
}

/**
 * A large list. Each chunk is made when the client takes it, and no two in one turn of the event loop, so that a large
 * list delays no other request.
 */
export class ListBody implements PolledBody {
  onReady: () => void = () => undefined;
  readonly #first: Chunk[];
  /** Absent when the list is complete, or nobody reads it any more. */
  #rest: Chunks | undefined;
  #isResting = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(first: readonly Chunk[], rest: Chunks) {
    this.#first = [...first];
    this.#rest = rest;
  }

  poll(): Buffer | undefined | null {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#rest === undefined) return null;
    if (this.#isResting) return undefined;
    const chunk = this.#first.shift() ?? this.#rest.next().value;
    if (chunk === undefined) this.close();
    else this.#endTurn(chunk);
    return chunk instanceof Promise ? undefined : (chunk ?? null);
  }

  close(): void {
    this.#first.length = 0;
    this.#rest = undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return iterate(this);
  }

  #endTurn(chunk: Chunk): void {
    this.#isResting = true;
    const goOn = (): void => {
      this.#isResting = false;
      this.onReady();
    };
    if (!(chunk instanceof Promise)) return void defer(goOn);
    chunk
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .then(() => defer(goOn));
  }
}
