import { setImmediate as turn } from 'node:timers/promises';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import { ApiError } from '../../pkg/status/status.js';
import type { Event } from '../../storage/cacher/event.js';
import { partsOf } from '../../storage/key.js';
import { prefixEnd } from '../../storage/tuple.js';
import { type BackgroundOptions, type Job, startJobs } from '../background.js';
import { Client } from '../client.js';
import { dependentsOf, inPages, storedEntry, storedPages } from '../dependents.js';
import type { Kind } from '../kind.js';
import { objectOf } from '../reader.js';
import { FINALIZING_INDEX, OWNER_INDEX, type Registry } from '../registry.js';
import type { Found } from '../write/owners.js';
import { eventsAfter, newest, type Work, waitingOwners, workOf } from './changes.js';
import { collectDependent } from './dependent.js';
import { finishOwner, releaseOwner } from './owner.js';
import { reportMisplaced } from './references.js';
import { Refused } from './refused.js';

const COLLECTOR: UserInfo = { name: 'system:garbage-collector', uid: '', groups: [MASTERS_GROUP], extra: {} };
/** Milliseconds after which all objects with owners are looked at again, in case one was left. */
const LOOK_EVERY = 3_600_000;

/**
 * Deletes the objects whose owners are gone, and does what the finalizers foregroundDeletion and orphan ask for, as Kubernetes' garbage collector
 * does (docs/adr/0032). Each kind is followed by a job of its own. Only the elected server needs to run it, but several servers may.
 */
export function startGarbageCollector(registry: Registry, options: BackgroundOptions): () => Promise<void> {
  return startJobs(registry, garbageJobs(registry, options), options);
}

/** The same as jobs that do not run yet. */
export function garbageJobs(registry: Registry, { onError }: Pick<BackgroundOptions, 'onError'>): readonly Job[] {
  const owned = new Set<Kind>();
  return registry.kinds
    .filter(({ conversion }) => conversion === undefined)
    .map((kind) => new GarbageOfKind(registry, kind, owned, onError));
}

class GarbageOfKind implements Job {
  readonly wokenBy: string;
  readonly #registry: Registry;
  readonly #kind: Kind;
  /** The uncached kinds that may have objects with owners. Others are not searched. All jobs share it. */
  readonly #owned: Set<Kind>;
  readonly #refused: Refused;
  readonly #onError: (error: unknown) => void;
  /** All events up to this revision are handled. Absent if that is not known. */
  #handled: number | undefined;
  #lookedAt = 0;

  constructor(registry: Registry, kind: Kind, owned: Set<Kind>, onError: (error: unknown) => void) {
    this.wokenBy = kind.qualified;
    this.#registry = registry;
    this.#kind = kind;
    this.#owned = owned;
    this.#refused = new Refused(registry.clock);
    this.#onError = onError;
    this.restart();
  }

  restart(): void {
    this.#handled = undefined;
    if (!this.#kind.cached) this.#owned.add(this.#kind);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { cacher, clock } = this.#registry;
    const client = new Client(this.#registry, { user: COLLECTOR, isTrusted: true, signal });
    await this.#retry(client);
    for (;;) {
      const { revision } = cacher.state;
      const isDue = this.#handled === undefined || clock.now() - this.#lookedAt >= LOOK_EVERY;
      const events = isDue ? undefined : eventsAfter(cacher.ring(this.wokenBy), this.#handled ?? 0);
      if (events === undefined) await this.#look(client, signal);
      else await this.#handle(client, this.#workOf(events), signal);
      if (signal.aborted) return;
      this.#handled = events?.at(-1)?.revision ?? revision;
      if (this.#handled >= revision) return;
      await turn();
    }
  }

  #workOf(events: readonly Event[]): Work {
    return workOf(this.#kind, events, () => this.#isAnyOwned());
  }

  /** Looks at all objects that have owners or wait for the collector. */
  async #look(client: Client, signal: AbortSignal): Promise<void> {
    this.#lookedAt = this.#registry.clock.now();
    let isOwned = false;
    for await (const page of this.#pages(OWNER_INDEX)) {
      if (signal.aborted) return;
      isOwned ||= page.length > 0;
      await this.#collect(client, page);
      await turn();
    }
    if (!isOwned) this.#owned.delete(this.#kind);
    for await (const page of this.#pages(FINALIZING_INDEX)) await this.#finish(client, page, signal);
  }

  async *#pages(index: string): AsyncGenerator<readonly Found[], void> {
    const { reader } = this.#registry;
    const kind = this.#kind;
    if (!kind.cached) return yield* storedPages(this.#registry, kind, { index, from: '', to: prefixEnd('') });
    for (const page of inPages(reader.walk(kind.qualified, index, []))) yield page.map((entry) => ({ kind, entry }));
  }

  async #handle(client: Client, work: Work, signal: AbortSignal): Promise<void> {
    const registry = this.#registry;
    if (work.dependents.length > 0 && !this.#kind.cached) this.#owned.add(this.#kind);
    for (const owner of work.gone) {
      for await (const page of dependentsOf(registry, owner, [...this.#owned])) await this.#collect(client, page);
      if (signal.aborted) return;
    }
    for (const page of inPages(work.dependents)) {
      const found = await Promise.all(page.map((event) => newest(registry, this.#kind, event)));
      await this.#collect(
        client,
        found.filter((one) => one !== undefined),
      );
      for (const { current, previous } of page) {
        if (current) reportMisplaced(registry, this.#kind, objectOf(current), previous && objectOf(previous));
      }
    }
    await this.#finish(client, work.finalizing, signal);
    for (const owner of await waitingOwners(registry, work.holders)) await releaseOwner(client, owner);
  }

  async #finish(client: Client, owners: readonly Found[], signal: AbortSignal): Promise<void> {
    for (const owner of owners) {
      if (signal.aborted) return;
      await finishOwner(client, owner, (page) => this.#collect(client, page));
    }
  }

  async #collect(client: Client, page: readonly Found[]): Promise<void> {
    await Promise.all(page.map((found) => this.#collectOne(client, found)));
  }

  /** A refused deletion must not keep others from being collected. */
  async #collectOne(client: Client, found: Found): Promise<void> {
    try {
      await collectDependent(client, found);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code >= 500 || error.code === 429) throw error;
      if (error.reason === 'NotFound') return;
      // After a conflict, the object has changed, or a rule of its kind refuses.
      if (this.#refused.add(found) && error.reason !== 'Conflict') this.#onError(error);
    }
  }

  async #retry(client: Client): Promise<void> {
    for (const { kind, key } of this.#refused.due()) {
      const { namespace, name } = partsOf(key);
      const entry = await storedEntry(this.#registry, kind, namespace, name);
      this.#refused.delete(key);
      if (entry !== undefined) await this.#collectOne(client, { kind, entry });
    }
  }

  #isAnyOwned(): boolean {
    const { kinds, reader } = this.#registry;
    if (this.#owned.size > 0) return true;
    return kinds.some(
      ({ cached, conversion, qualified }) =>
        cached && conversion === undefined && reader.entries(qualified, OWNER_INDEX, [], 1).length > 0,
    );
  }
}
