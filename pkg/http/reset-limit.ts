/** Requests of one connection that may be taken back at once, and further ones for each second, as in nghttp2. */
const BURST = 1_000;
const PER_SECOND = 33;

/**
 * Counts the requests that a client takes back before it has the answer. A client that begins requests and takes them back as fast as it can (CVE-2023-44487, "rapid
 * reset") has no more than a few open at a time, and so passes the limit of open streams.
 */
export class ResetLimit {
  readonly #now: () => number;
  #left = BURST;
  #since: number;

  /** `now` gives milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Counts one. Returns false if there were too many. */
  allows(): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#since) / 1000) * PER_SECOND);
    this.#since = now;
    this.#left--;
    return this.#left >= 0;
  }
}
