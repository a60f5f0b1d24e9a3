import { deliveryType, frameOf, objectOf } from '../../storage/cacher/event.js';
import type { Watch } from '../../storage/cacher/watch.js';
import type { Delivered, WatchStep } from '../../storage/cacher/watch-step.js';
import type { Entry } from '../../storage/state/entry.js';
import { isServedAsStored } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import { asServed, servedEntries } from '../kinds/served-entries.js';
import type { Selection } from './selection.js';

/** The source of the steps of a watch. */
export type StepSource = Pick<Watch, 'isDue' | 'take' | 'wake' | 'close' | 'onReady'>;

/** The steps of a watch with the objects as they are served, if it takes time to make that. The other watches do not wait for it. */
export class ServedWatch implements StepSource {
  onReady: () => void = () => undefined;
  readonly #watch: Watch;
  readonly #kind: Kind;
  readonly #selection: Selection;
  #step: WatchStep | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isBusy = false;

  constructor(watch: Watch, kind: Kind, selection: Selection) {
    this.#watch = watch;
    this.#kind = kind;
    this.#selection = selection;
    watch.onReady = () => this.onReady();
  }

  get isDue(): boolean {
    return !this.#isBusy && (this.#failure !== undefined || this.#step !== undefined || this.#watch.isDue);
  }

  /** Throws why the objects cannot be served. */
  take(): WatchStep | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    const made = this.#step;
    this.#step = undefined;
    if (made !== undefined) return made;
    const step = this.#watch.take();
    if (step === undefined || this.#isReady(step)) return step;
    this.#isBusy = true;
    void this.#make(step);
    return undefined;
  }

  wake(): void {
    this.#watch.wake();
  }

  close(): void {
    this.onReady = () => undefined;
    this.#watch.close();
  }

  #isReady({ deliveries }: WatchStep): boolean {
    return this.#selection.all && entriesOf(deliveries).every((entry) => isServedAsStored(this.#kind, entry));
  }

  async #make(step: WatchStep): Promise<void> {
    try {
      this.#step = await servedStep(this.#kind, this.#selection, step);
    } catch (error) {
      this.#failure = { error };
    }
    this.#isBusy = false;
    this.onReady();
  }
}

async function servedStep(kind: Kind, selection: Selection, { deliveries, through }: WatchStep): Promise<WatchStep> {
  const entries = entriesOf(deliveries);
  const served = await servedEntries(kind, entries);
  const made = new Map(entries.map((entry, i) => [entry, served.entries[i]]));
  const selects = (entry: Entry): boolean => selection.matchesAs(asServed(kind), entry);
  const shown = deliveries.flatMap((delivery) => deliveredAs(delivery, (entry) => made.get(entry) ?? entry, selects));
  return { deliveries: shown, through };
}

function entriesOf(deliveries: readonly Delivered[]): readonly Entry[] {
  const both = deliveries.flatMap(({ event: { current, previous } }) => [current, previous]);
  return both.filter((entry) => entry !== undefined);
}

/** The type depends on the selectors, which are about what is served. What the caller may not see has been left out before. */
function deliveredAs(
  { type: known, event }: Delivered,
  made: (entry: Entry) => Entry,
  selects: (entry: Entry) => boolean,
): readonly Delivered[] {
  const { current, previous } = event;
  const now = known !== 'DELETED' && current !== undefined ? made(current) : undefined;
  const before = known !== 'ADDED' && previous !== undefined ? made(previous) : undefined;
  const type = deliveryType({ ...event, current: now, previous: before }, selects);
  if (type === undefined) return [];
  const one = { type, event: { ...event, current: now, previous: before } };
  return [{ ...one, frame: () => frameOf(type, objectOf(one)) }];
}
