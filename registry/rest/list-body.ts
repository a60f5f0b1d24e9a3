import { iterate, type PolledBody } from '../../pkg/http/polled-body.js';

type Chunks = Iterator<Buffer, undefined>;

/** A large list. Each chunk is made when the client takes it, and no two in one turn of the event loop, so that a large list delays no other request. */
export class ListBody implements PolledBody {
  onReady: () => void = () => undefined;
  readonly #first: Buffer[];
  /** Absent when the list is complete, or nobody reads it any more. */
  #rest: Chunks | undefined;
  #isResting = false;

  constructor(first: readonly Buffer[], rest: Chunks) {
    this.#first = [...first];
    this.#rest = rest;
  }

  poll(): Buffer | undefined | null {
    if (this.#rest === undefined) return null;
    if (this.#isResting) return undefined;
    const chunk = this.#first.shift() ?? this.#rest.next().value;
    if (chunk === undefined) this.close();
    else this.#endTurn();
    return chunk ?? null;
  }

  close(): void {
    this.#first.length = 0;
    this.#rest = undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return iterate(this);
  }

  #endTurn(): void {
    this.#isResting = true;
    setImmediate(() => {
      this.#isResting = false;
      this.onReady();
    });
  }
}
