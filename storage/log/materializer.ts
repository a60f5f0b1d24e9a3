import type { Backend, Revision } from '../backend.js';
import { Regularly, type RegularWork } from './regularly.js';

interface MaterializerOptions extends RegularWork {
  /** Milliseconds between two runs. Longer periods write less, because several changes of an object count once. */
  readonly period?: number | undefined;
  /** Milliseconds, for measuring how long it fails. */
  readonly now?: (() => number) | undefined;
}

const PERIOD = 1000;
/** After this time of failures, somebody should look: the log grows, because it must not be compacted. */
const PATIENCE = 60_000;

/** Regularly carries the log of a store into its objects. */
export class Materializer {
  readonly #backend: Pick<Backend, 'materialize'>;
  readonly #regularly: Regularly;
  readonly #now: () => number;
  #revision: Revision = 0;
  #failing: { readonly since: number; readonly error: unknown } | undefined;

  constructor(backend: Pick<Backend, 'materialize'>, options: MaterializerOptions) {
    const { period = PERIOD, now = () => performance.now() } = options;
    this.#backend = backend;
    this.#now = now;
    this.#regularly = new Regularly(options);
    if (backend.materialize !== undefined) this.#regularly.start(period, () => this.#run());
  }

  /** The revision of the objects after the last run. 0 if this server has not run it. */
  get revision(): Revision {
    return this.#revision;
  }

  /** The last error, if the objects have not followed the log for a minute. */
  failure(): unknown {
    return this.#failing !== undefined && this.#now() - this.#failing.since >= PATIENCE
      ? this.#failing.error
      : undefined;
  }

  stop(): Promise<void> {
    return this.#regularly.stop();
  }

  async #run(): Promise<void> {
    try {
      this.#revision = (await this.#backend.materialize?.()) ?? 0;
      this.#failing = undefined;
    } catch (error) {
      const isFirst = this.#failing === undefined;
      this.#failing = { since: this.#failing?.since ?? this.#now(), error };
      // A store that is broken or full fails each time. The log says so once.
      if (isFirst) throw error;
    }
  }
}
