import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import { Reader } from '../../../registry/read/reader.js';
import { timestamp } from '../../../registry/write/metadata.js';
import { secondsOf } from '../../alerting/duration.js';
import { beginIn } from './begin.js';
import { drifts } from './check.js';
import { Held, Pass } from './pass.js';
import { pauseAfter, Queue } from './queue.js';
import { isOurs } from './refusal.js';
import { type Key, keyOf, partsOf } from './resources.js';
import { Source } from './source.js';
import { happenings, statusOf, type WorkerState } from './status.js';
import type { Step } from './step.js';
import { Store } from './store.js';
import { There } from './there.js';
import type { WorkerOptions } from './worker-options.js';

/** Milliseconds between two writes of the status, and of what was sent, while much is sent. The second is larger. */
const TELL_EVERY = 2000;
const REMEMBER_EVERY = 15_000;

/** Milliseconds until everything that waits for something else is looked at again. */
const LONGEST_REST = 60_000;

/** Sends what one mirror selects, until it is stopped. It never rejects, so others are not disturbed. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #queue = new Queue();
  readonly #held = new Held();
  readonly #store: Store;
  readonly #memory;
  readonly #ended: Promise<void>;
  #isListed = false;
  #hasTops = false;
  readonly #begin: Step['begin'];
  #isChecked = false;
  #checkAt = Number.NEGATIVE_INFINITY;
  /** What the last check has found and put back. */
  #putBack: ReadonlyMap<Key, string> = new Map();
  #lastEvent = '';
  #savedAt = Number.NEGATIVE_INFINITY;
  #rememberedAt = performance.now();
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
    // Each request listens.
    setMaxListeners(0, options.signal);
    this.#ended = new Promise((resolve) => {
      options.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** The object here has changed. */
  add(key: Key): void {
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
    this.#isChecked = false;
    this.#checkAt = Number.NEGATIVE_INFINITY;
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
    return this.#queue.size + this.#held.late.size;
  }

  get failed(): number {
    return this.#queue.failures().size;
  }

  async run(): Promise<void> {
    const { signal, onError, target } = this.#options;
    for (let failures = 0; !signal.aborted; ) {
      const woken = this.#woken();
      try {
        const hasProgress = await this.#once();
        if (!hasProgress) await this.#checkIfDue();
        failures = 0;
        this.#outage = undefined;
        await this.#save(!hasProgress);
        if (hasProgress) await yieldToLoop();
        else await this.#rest(woken);
      } catch (error) {
        if (signal.aborted) break;
        if (isOurs(error)) onError(error);
        this.#outage = messageOf(error);
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

  #takeTops(): void {
    if (this.#hasTops) for (const key of this.#memory.in('')) if (partsOf(key).kind === 'folder') this.#queue.add(key);
    this.#hasTops = false;
  }

  /** Compares what is there with what was sent, and puts everything into the queue that may differ. */
  async #list(): Promise<void> {
    this.#behindSince ??= performance.now();
    const missing = new Set(this.#memory.keys());
    const theirs = new Set<Key>();
    const { target } = this.#options;
    const found = (key: Key, folder: string): void => {
      missing.delete(key);
      const sent = this.#memory.get(key);
      if (sent === undefined && !this.#memory.mayHaveMade(key)) theirs.add(key);
      if (sent !== undefined && sent.folder !== folder) this.#memory.set(key, { ...sent, folder, hash: '' });
    };
    for await (const page of target.found())
      for (const { uid, type, folderUid = '' } of page)
        found(keyOf(type === 'dash-folder' ? 'folder' : 'dashboard', uid), folderUid);
    for await (const page of target.elements())
      for (const { uid, folderUid } of page) found(keyOf('element', uid), folderUid);
    // A list may be incomplete, while the other server makes an index or the credential has less rights.
    this.#memory.doubt(missing);
    this.#memory.leave(theirs);
    for (const key of this.#memory.begun) this.#queue.addLater(key);
    for (const key of this.#source().keys()) this.#queue.addLater(key);
    for (const key of this.#memory.keys()) this.#queue.addLater(key);
    this.#held.kept.clear();
    this.#isListed = true;
  }

  async #checkIfDue(): Promise<void> {
    const { check } = this.#options.mirror.spec;
    if (check === undefined || this.pending > 0 || performance.now() < this.#checkAt) return;
    await this.#check(check.drift === 'PutBack');
    this.#checkAt = performance.now() + secondsOf(check.interval) * 1000;
  }

  /** Looks for what somebody has changed there. */
  async #check(putsBack: boolean): Promise<void> {
    const { drifted } = this.#held;
    drifted.clear();
    const putBack = new Map<Key, string>();
    for await (const { key, what, found } of drifts(this.#options.target, this.#memory)) {
      (putsBack ? putBack : drifted).set(key, what);
      if (!putsBack) continue;
      if (found === undefined) this.#memory.delete(key);
      else this.#memory.set(key, { ...found, hash: what === 'its permissions' ? found.hash : '' });
      this.#queue.addLater(key);
    }
    this.#putBack = putBack;
    this.#isChecked = true;
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

  /** While much is sent, what was sent is stored now and then. `isDue`: now, because nothing more comes for a while. */
  async #save(isDue: boolean): Promise<void> {
    const now = performance.now();
    if (!isDue && now - this.#savedAt < TELL_EVERY) return;
    this.#savedAt = now;
    if (isDue) this.#arrive();
    const remembers = isDue || now - this.#rememberedAt >= REMEMBER_EVERY;
    if (remembers) this.#rememberedAt = now;
    const { client, mirror } = this.#options;
    const state = {
      memory: this.#memory,
      queue: this.#queue,
      pending: this.pending,
      kept: this.#held.kept.size,
      arrived: this.#arrived,
      outage: this.#outage,
      isListed: this.#isListed,
      drifted: this.#held.drifted,
      putBack: this.#putBack,
      isChecked: this.#isChecked,
      isToBeChecked: mirror.spec.check !== undefined && !this.#isChecked,
      generation: mirror.metadata.generation,
      now: timestamp(client.registry.clock.now()),
    };
    await this.#store.save(remembers ? this.#memory : undefined, (old) => statusOf(state, old));
    this.#tell(state);
  }

  /** People are told by events what has changed for the mirror. */
  #tell(state: WorkerState): void {
    const { client, mirror } = this.#options;
    const { apiVersion, kind, metadata } = mirror;
    for (const { reason, message, type } of happenings(state)) {
      const event = `${reason} ${message}`;
      if (reason !== 'Drifted' && this.#lastEvent === event) continue;
      if (reason !== 'Drifted') this.#lastEvent = event;
      const about = { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
      client.registry.report?.({ reason, type, message, about, ...(metadata.uid && { uid: metadata.uid }) });
    }
    if (this.#putBack.size > 0 && this.pending === 0) this.#putBack = new Map();
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #rest(woken: Promise<void>): Promise<void> {
    const { check } = this.#options.mirror.spec;
    const untilCheck = check === undefined ? [] : [Math.max(0, this.#checkAt - performance.now())];
    const waits = [this.#queue.nextIn() ?? (this.pending > 0 ? LONGEST_REST : undefined), ...untilCheck];
    const next = waits.reduce((least, one) => (one === undefined ? least : Math.min(least ?? one, one)), undefined);
    const over = new AbortController();
    const paused = next === undefined ? [] : [sleep(next, undefined, { signal: over.signal, ref: false })];
    await Promise.race([woken, this.#ended, ...paused.map((pause) => pause.catch(() => undefined))]);
    over.abort();
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#options;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
