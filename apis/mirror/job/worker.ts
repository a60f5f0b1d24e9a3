import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import { Reader } from '../../../registry/read/reader.js';
import { beginIn } from './begin.js';
import { Checker } from './checker.js';
import { DeletionGuard } from './deletion-guard.js';
import { Held } from './held.js';
import { listThere, topsOf } from './listing.js';
import { outageOf } from './outage.js';
import { Pass } from './pass.js';
import { pauseAfter, Queue } from './queue.js';
import { isOurs } from './refusal.js';
import { Reporter, type Snapshot } from './reporter.js';
import { type Key, liesInFolder, partsOf } from './resources.js';
import { earliest, resting } from './resting.js';
import { Source } from './source.js';
import type { Step } from './step.js';
import { Store } from './store.js';
import { allowedIn } from './team-pass.js';
import { There } from './there.js';
import type { WorkerOptions } from './worker-options.js';

/** Milliseconds until everything that waits for something else is looked at again. */
const LONGEST_REST = 60_000;

/** Milliseconds until it is looked again whether those have come there who were missing in teams. */
const PEOPLE_AGAIN = 300_000;

/** Sends what one mirror selects, until it is stopped. It never rejects, so others are not disturbed. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #queue = new Queue();
  readonly #held = new Held();
  readonly #store: Store;
  readonly #memory;
  readonly #ended: Promise<void>;
  readonly #reporter: Reporter;
  readonly #guard: DeletionGuard;
  readonly #checker: Checker;
  #isListed = false;
  #hasTops = false;
  readonly #begin: Step['begin'];
  #peopleAt = performance.now() + PEOPLE_AGAIN;
  #arrived: number | undefined;
  #outage: string | undefined;
  #wake: () => void = () => undefined;
  /** When the oldest change came that has not arrived. */
  #behindSince: number | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#store = new Store(options.client, options.mirror, options.mirror.spec);
    this.#memory = this.#store.load();
    this.#begin = beginIn(this.#memory, this.#store);
    const { client, mirror, target } = options;
    const parts = { memory: this.#memory, queue: this.#queue, held: this.#held };
    this.#checker = new Checker({ spec: mirror.spec, target, ...parts });
    this.#guard = new DeletionGuard(mirror.spec.maxDeletions);
    this.#reporter = new Reporter({ client, mirror, memory: this.#memory, store: this.#store });
    // Each request listens.
    setMaxListeners(0, options.signal);
    this.#ended = new Promise((resolve) => {
      options.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** The object here has changed. */
  add(key: Key): void {
    const { teams, preferences } = this.#options.mirror.spec;
    const { kind } = partsOf(key);
    if ((kind === 'team' && !teams) || (kind === 'preferences' && !preferences)) return;
    this.#behindSince ??= performance.now();
    this.#queue.add(key);
    this.#wake();
  }

  /** A folder above selected ones, or what is allowed on it, has changed: they have it there by themselves. */
  addTops(): void {
    if (this.#options.mirror.spec.folders === undefined) return;
    this.#behindSince ??= performance.now();
    this.#hasTops = true;
    this.#wake();
  }

  /** Everything has to be looked at, because changes may have been missed. */
  lookAgain(): void {
    this.#isListed = false;
    this.#wake();
  }

  /** The database here was set back or replaced, so what was sent since is not remembered. */
  beginAgain(): void {
    this.#memory.doubt();
    this.#checker.reset();
    this.lookAgain();
  }

  get namespace(): string {
    return this.#options.mirror.metadata.namespace ?? '';
  }

  /** Seconds since the oldest change that has not arrived. */
  get lag(): number {
    return this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1000;
  }

  get pending(): number {
    return this.#queue.size + this.#held.late.size + this.#held.lateTeams.size;
  }

  get failed(): number {
    return this.#queue.failures().size;
  }

  async run(): Promise<void> {
    const { signal, onError, target } = this.#options;
    for (let failures = 0; !signal.aborted; ) {
      const woken = this.#woken();
      try {
        const hasProgress = (await this.#once()) || (await this.#check());
        failures = 0;
        this.#outage = undefined;
        await this.#save(!hasProgress);
        if (hasProgress) await yieldToLoop();
        else await this.#rest(woken);
      } catch (error) {
        if (signal.aborted) break;
        if (isOurs(error)) onError(error);
        this.#outage = outageOf(error);
        failures++;
        await this.#save(true).catch(onError);
        await this.#pause(pauseAfter(failures));
      }
    }
    target.close();
    if (this.#options.isElected()) await this.#save(true).catch(onError);
  }

  async #once(): Promise<boolean> {
    const { client, mirror, target, catchUp } = this.#options;
    const { spec } = mirror;
    if (!this.#isListed) await this.#list();
    // Nothing waits between here and the first look, so the queue has every change of this state.
    catchUp();
    this.#takeTops();
    this.#takePeople();
    const { state } = client.registry.cacher;
    const source = this.#source();
    this.#queue.begin();
    const step = {
      source,
      target,
      memory: this.#memory,
      there: new There(this.#memory),
      queue: this.#queue,
      spec,
      begin: this.#begin,
      guard: this.#guard,
      partial: this.#held.partial,
      allowed: allowedIn({ source, memory: this.#memory, queue: this.#queue }, this.#held),
      message: spec.provenance?.message ?? `Mirrored from ${mirror.metadata.namespace} at ${state.revision}`,
    };
    const pass = new Pass(step, this.#held);
    try {
      await pass.run();
    } finally {
      this.#queue.end();
    }
    if (this.pending === 0) {
      this.#arrived = state.revision;
      this.#behindSince = undefined;
    }
    return pass.hasProgress;
  }

  /** Which teams go along with selected folders also depends on these. */
  #takeTops(): void {
    if (!this.#hasTops) return;
    this.#hasTops = false;
    for (const key of topsOf(this.#memory)) this.#queue.add(key);
    for (const key of this.#memory.in('')) if (!liesInFolder(key)) this.#queue.add(key);
    const { teams, preferences } = this.#source();
    for (const key of [...teams.keys(), ...preferences.keys()]) this.#queue.add(key);
  }

  #takePeople(): void {
    if (performance.now() < this.#peopleAt) return;
    this.#peopleAt = performance.now() + PEOPLE_AGAIN;
    for (const key of this.#incompleteTeams) this.#queue.addLater(key);
  }

  get #incompleteTeams(): readonly Key[] {
    return [...this.#held.partial.keys()].filter((key) => !liesInFolder(key));
  }

  async #list(): Promise<void> {
    this.#behindSince ??= performance.now();
    await listThere(this.#options.target, this.#memory, this.#queue, () => this.#source());
    this.#held.kept.clear();
    this.#isListed = true;
  }

  /** Returns whether there is something to send. */
  async #check(): Promise<boolean> {
    if (this.pending > 0) return false;
    await this.#checker.runIfDue();
    return this.pending > 0;
  }

  #source(): Source {
    const { client, resources, domain, mirror } = this.#options;
    const reader = new Reader(client.registry.cacher.state);
    return new Source({ reader, resources, domain, namespace: mirror.metadata.namespace ?? '', spec: mirror.spec });
  }

  /** What came meanwhile and is not selected, or was stored by this server itself, has arrived, too. */
  #arrive(): void {
    const { client, catchUp } = this.#options;
    if (this.pending > 0 || !this.#isListed || this.#outage !== undefined) return;
    catchUp();
    if (this.pending === 0 && !this.#hasTops && this.#isListed) this.#arrived = client.registry.cacher.state.revision;
  }

  /** While much is sent, what was sent is stored now and then. `isLast`: nothing more comes for a while. */
  async #save(isLast: boolean): Promise<void> {
    if (!isLast && !this.#reporter.isDue) return;
    if (isLast) this.#arrive();
    await this.#reporter.save(this.#snapshot, isLast);
    if (this.pending === 0) this.#checker.putBack = new Map();
  }

  get #snapshot(): Snapshot {
    const { kept, drifted, partial, stop } = this.#held;
    return {
      queue: this.#queue,
      pending: this.pending,
      kept: kept.size,
      partial,
      stop,
      arrived: this.#arrived,
      outage: this.#outage,
      isListed: this.#isListed,
      drifted,
      putBack: this.#checker.putBack,
      isChecked: this.#checker.isDone,
      isToBeChecked: this.#checker.isMissing,
    };
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #rest(woken: Promise<void>): Promise<void> {
    const people = this.#incompleteTeams.length === 0 ? undefined : Math.max(0, this.#peopleAt - performance.now());
    const again = this.#queue.nextIn() ?? (this.pending > 0 ? LONGEST_REST : undefined);
    await resting(earliest([again, this.#checker.nextIn, people]), [woken, this.#ended]);
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#options;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
