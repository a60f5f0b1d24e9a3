import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Revision } from '../backend.js';
import type { Cacher } from './cacher.js';
import { type Event, frameOf, objectOf } from './event.js';
import { type Delivered, STEP_DELIVERIES, typeFor, type WatchOptions, type WatchStep } from './watch-step.js';

/** Reads the steps of a watch from the log, one step ahead, until the ring has all later events. */
export class LogReader {
  readonly #steps: AsyncGenerator<WatchStep, void, undefined>;
  readonly #onReady: () => void;
  #next: WatchStep | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isDone = false;

  /** `onReady` is called when there is a step, or when the reader is done or has failed. */
  constructor(cacher: Cacher, options: WatchOptions, after: Revision, onReady: () => void) {
    this.#steps = stepsOf(cacher, options, after);
    this.#onReady = onReady;
    this.#advance();
  }

  /** The ring has what follows. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The next step, or undefined if it is still being read. Throws `compacted` if the log does not have it any more. */
  take(): WatchStep | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    const step = this.#next;
    this.#next = undefined;
    if (step !== undefined) this.#advance();
    return step;
  }

  close(): void {
    this.#steps.return().catch(() => undefined);
  }

  #advance(): void {
    this.#steps
      .next()
      .then(
        ({ done, value }) => {
          this.#isDone = done === true;
          this.#next = value ?? undefined;
        },
        (error: unknown) => {
          this.#failure = { error };
        },
      )
      .then(this.#onReady);
  }
}

async function* stepsOf(
  cacher: Cacher,
  options: WatchOptions,
  after: Revision,
): AsyncGenerator<WatchStep, void, undefined> {
  for await (const { end, events } of cacher.past.commits(options.resource, after, options.signal)) {
    const deliveries = events.flatMap((event) => loggedDelivery(event, options) ?? []);
    for (let at = 0; at < deliveries.length; at += STEP_DELIVERIES) {
      const isLast = at + STEP_DELIVERIES >= deliveries.length;
      yield { deliveries: deliveries.slice(at, at + STEP_DELIVERIES), through: isLast ? end : undefined };
    }
    if (deliveries.length === 0) yield { deliveries, through: end };
    if (end >= cacher.ring(options.resource).floor) return;
    await yieldToLoop();
  }
}

function loggedDelivery(event: Event, options: WatchOptions): Delivered | undefined {
  const type = typeFor(event, options);
  return type && { type, event, frame: () => frameOf(type, objectOf({ type, event })) };
}
