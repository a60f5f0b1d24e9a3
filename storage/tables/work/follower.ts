import { setTimeout as sleep } from 'node:timers/promises';
import { Yielder } from '../../../pkg/system/yielding/yielding.js';
import type { Backend, Revision } from '../../backend.js';
import type { Cacher } from '../../cacher/cacher.js';
import type { Journal } from '../../cacher/journals.js';
import { damageOf } from '../../damage.js';
import { type Key, resourceOf } from '../../key.js';
import type { Entry } from '../../state/entry.js';
import type { ResourceState } from '../../state/resource-state.js';
import type { State } from '../../state/state.js';
import type { Checkpoint } from '../folder/checkpoint.js';
import type { TableFolder } from '../folder/folder.js';
import { isSameStore } from '../folder/same-store.js';
import { AttachedTables, changedKeys } from './attach.js';

/** Milliseconds after a failure. What is in memory stays there meanwhile. */
const RETRY = 10_000;

interface FollowerOptions {
  readonly backend: Backend;
  readonly cacher: Cacher;
  readonly folder: TableFolder;
  /** Milliseconds between two looks. */
  readonly interval: number;
  /** Called when the files of the process that writes cannot be used. It is tried again. */
  readonly onError: (error: unknown) => void;
}

/**
 * The resources as the tables of a checkpoint keep them, and what these have in place of entries of recent changes,
 * each by resource.
 */
interface Attachment {
  readonly resources: ReadonlyMap<string, AttachedTables>;
  readonly others: ReadonlyMap<string, ReadonlyMap<Entry, Entry>>;
}

/** Uses the files that another process of the server writes, until that has ended and this process takes its place. */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #stop = new AbortController();
  /** Why all objects are to be loaded again. */
  #renewal: string | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Resolves when this process writes, or after `close`. */
  async run(): Promise<void> {
    const { folder, interval } = this.#options;
    while (!folder.isWriter && !this.#stop.signal.aborted) {
      const isDone = await this.#attempt(() => this.poll());
      if (!folder.isWriter) await this.#pause(isDone ? interval : RETRY);
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async poll(): Promise<void> {
    const { folder } = this.#options;
    if (await folder.claim()) await this.#takeOver();
    else await this.#follow();
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.onError(error);
      return false;
    }
  }

  /**
   * The process that wrote has ended. What it has kept last is used, if it can be. Otherwise, what this process uses is
   * kept again.
   */
  async #takeOver(): Promise<void> {
    const { cacher, folder } = this.#options;
    await this.#attempt(() => this.#follow());
    const isCurrent = (await folder.manifestStatus()) === 'used';
    const names = await folder.names();
    const { load } = cacher;
    if (load === undefined || this.#stop.signal.aborted) return;
    await cacher.install(load, (state) => {
      folder.own(names, isCurrent);
      return state;
    });
    await folder.clean(names);
  }

  async #follow(): Promise<void> {
    const { cacher, folder } = this.#options;
    if (await this.#isRenewed()) return;
    const { load } = cacher;
    if (load === undefined || (await folder.manifestStatus()) !== 'news') return;
    const checkpoint = await folder.read();
    if ('reason' in checkpoint) throw new Error(`the files of the objects cannot be used: ${checkpoint.reason}`);
    await this.#attach(load, checkpoint);
  }

  /**
   * If a file is damaged, the process that writes makes all of them again. Then nothing of this state may be kept: its
   * entries are in the damaged file.
   */
  async #isRenewed(): Promise<boolean> {
    const { cacher, folder } = this.#options;
    const { damage } = folder;
    if (damage !== undefined && this.#renewal === undefined) {
      this.#renewal = damageOf(damage);
      await folder.reportDamage();
    }
    if (this.#renewal === undefined) return false;
    if ((await folder.manifestStatus()) === 'news') {
      await cacher.renew(this.#renewal, this.#stop.signal);
      this.#renewal = undefined;
    }
    return true;
  }

  async #attach(load: number, checkpoint: Checkpoint): Promise<void> {
    const { backend, cacher, folder } = this.#options;
    if (!(await isSameStore(backend, checkpoint))) throw new Error('the files of the objects are of another store');
    await cacher.reach(checkpoint.newest, this.#stop.signal);
    const journal = cacher.journal();
    try {
      const adoption = await this.#prepare(checkpoint, cacher.state);
      const after = folder.position?.revision ?? 0;
      await cacher.install(load, (current) => {
        const next = current.keptAs(withChanges(adoption, journal, current));
        folder.attach(checkpoint);
        return next;
      });
      // The recent changes need not keep in memory what is in a file now.
      for (const [resource, others] of adoption.others) cacher.ring(resource).exchange(after, others);
    } finally {
      journal.stop();
    }
  }

  async #prepare(checkpoint: Checkpoint, state: State): Promise<Attachment> {
    const { backend, cacher, folder } = this.#options;
    const changed = await changedKeys(backend, checkpoint.revision, state.revision, this.#stop.signal);
    const [resources, others] = [new Map<string, AttachedTables>(), new Map<string, ReadonlyMap<Entry, Entry>>()];
    const all = new Set([...state.resources, ...checkpoint.parts.keys()]);
    for (const resource of [...all].filter((one) => folder.keeps(one))) {
      const attached = new AttachedTables(checkpoint.parts.get(resource) ?? []);
      resources.set(resource, attached);
      const recent = { changed: changed.get(resource) ?? NONE, floor: cacher.ring(resource).floor };
      others.set(resource, await prepare(attached, state.resource(resource), recent));
    }
    return { resources, others };
  }
}

const NONE: ReadonlySet<Key> = new Set();

interface RecentChanges {
  /** The keys that were changed after the checkpoint. */
  readonly changed: ReadonlySet<Key>;
  /** Changes up to this revision are not known. */
  readonly floor: Revision;
}

/** Takes what was changed from a state. Returns what the tables have in place of entries of recent changes. */
async function prepare(attached: AttachedTables, state: ResourceState, { changed, floor }: RecentChanges) {
  const others = new Map<Entry, Entry>();
  const yielder = new Yielder();
  for (const key of changed) {
    if (yielder.isDue) await yielder.yield();
    attached.renew(key, state);
  }
  for (const entry of state.memory()) {
    if (yielder.isDue) await yielder.yield();
    if (changed.has(entry.key)) continue;
    const other = attached.instead(entry);
    if (entry.revision > floor) others.set(entry, other);
  }
  return others;
}

/** The resources of the current state, of which some objects were changed since the adoption was prepared. */
function* withChanges({ resources }: Attachment, { events }: Journal, current: State) {
  for (const { key } of events) resources.get(resourceOf(key))?.renew(key, current.resource(resourceOf(key)));
  for (const [resource, attached] of resources) yield [resource, attached.as(current.resource(resource))] as const;
}
