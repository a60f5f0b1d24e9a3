import { iterate, type PolledBody } from '../../../pkg/http/polled-body.js';
import { type Lifetime, lifetime } from '../../../pkg/system/time/lifetime.js';

/** The part of a watch that follows the changes. */
export interface LiveFrames {
  /** The next bytes, or undefined if there are none yet. `null`: there are no more. */
  poll(): Buffer | undefined | null;
  /** Called when there may be bytes. */
  set onReady(wake: () => void);
  close(): void;
}

export interface WatchBodyOptions {
  /** The signal of the request. */
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly lasts: number;
  /** Yields what has to be waited for, such as the existing objects, and returns the changes after it. */
  begin(signal: AbortSignal): AsyncGenerator<Buffer, LiveFrames, undefined>;
  /** The event that tells the client why the watch ends. */
  errorFrame(error: unknown): Buffer;
}

/** The body of a watch. It begins when it is first read, so that a body that is never read holds no resources. */
export class WatchBody implements PolledBody {
  onReady: () => void = () => undefined;
  readonly #options: WatchBodyOptions;
  #life: Lifetime | undefined;
  #first: AsyncGenerator<Buffer, LiveFrames, undefined> | undefined;
  #chunk: Buffer | undefined;
  #live: LiveFrames | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #isAborted = false;

  constructor(options: WatchBodyOptions) {
    this.#options = options;
  }

  poll(): Buffer | undefined | null {
    if (this.#isOver) return null;
    this.#life ??= this.#begin();
    try {
      if (this.#failure !== undefined) throw this.#failure.error;
      const next = this.#isAborted ? null : this.#live === undefined ? this.#takeChunk() : this.#live.poll();
      if (next === null) this.close();
      return next;
    } catch (error) {
      this.close();
      return this.#options.signal.aborted ? null : this.#options.errorFrame(error);
    }
  }

  close(): void {
    this.#isOver = true;
    this.#live?.close();
    this.#first?.return(CLOSED).catch(() => undefined);
    this.#life?.end();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return iterate(this);
  }

  #begin(): Lifetime {
    const life = lifetime(this.#options.signal, this.#options.lasts);
    this.#isAborted = life.signal.aborted;
    life.signal.addEventListener('abort', () => {
      this.#isAborted = true;
      this.onReady();
    });
    this.#first = this.#options.begin(life.signal);
    this.#advance(this.#first);
    return life;
  }

  #takeChunk(): Buffer | undefined {
    const chunk = this.#chunk;
    this.#chunk = undefined;
    if (chunk !== undefined && this.#first !== undefined) this.#advance(this.#first);
    return chunk;
  }

  #advance(first: AsyncGenerator<Buffer, LiveFrames, undefined>): void {
    first
      .next()
      .then(
        ({ done, value }) => {
          if (done === true) this.#follow(value);
          else this.#chunk = value;
        },
        (error: unknown) => {
          this.#failure = { error };
        },
      )
      .then(() => this.onReady());
  }

  #follow(live: LiveFrames): void {
    this.#first = undefined;
    live.onReady = this.onReady;
    this.#live = live;
    if (this.#isOver) live.close();
  }
}

const CLOSED: LiveFrames = { poll: () => undefined, onReady: () => undefined, close: () => undefined };
