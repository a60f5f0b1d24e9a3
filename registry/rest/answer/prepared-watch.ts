import type { Watch } from '../../../storage/cacher/watch.js';
import type { WatchStep } from '../../../storage/cacher/watch-step.js';

/** A step of a watch. `frames` are those of its deliveries, if they are made already. */
export interface PreparedStep extends WatchStep {
  readonly frames?: readonly Buffer[];
}

/** The source of the steps of a watch. */
export interface StepSource extends Pick<Watch, 'isDue' | 'wake' | 'close' | 'onReady'> {
  /** Throws why the watch cannot go on. */
  take(): PreparedStep | undefined;
}

/** The steps of a watch after work that takes time. The other watches do not wait for it. */
export class PreparedWatch implements StepSource {
  onReady: () => void = () => undefined;
  readonly #watch: StepSource;
  /** `undefined`: there is nothing to do for the step. */
  readonly #prepare: (step: PreparedStep) => Promise<PreparedStep> | undefined;
  #step: PreparedStep | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isBusy = false;

  constructor(watch: StepSource, prepare: (step: PreparedStep) => Promise<PreparedStep> | undefined) {
    this.#watch = watch;
    this.#prepare = prepare;
    watch.onReady = () => this.onReady();
  }

  get isDue(): boolean {
    return !this.#isBusy && (this.#failure !== undefined || this.#step !== undefined || this.#watch.isDue);
  }

  take(): PreparedStep | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    const made = this.#step;
    this.#step = undefined;
    if (made !== undefined) return made;
    const step = this.#watch.take();
    const work = step && this.#prepare(step);
    if (work === undefined) return step;
    this.#isBusy = true;
    void this.#finish(work);
    return undefined;
  }

  wake(): void {
    this.#watch.wake();
  }

  close(): void {
    this.onReady = () => undefined;
    this.#watch.close();
  }

  async #finish(work: Promise<PreparedStep>): Promise<void> {
    try {
      this.#step = await work;
    } catch (error) {
      this.#failure = { error };
    }
    this.#isBusy = false;
    this.onReady();
  }
}
