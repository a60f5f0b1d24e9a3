import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Event } from '../../storage/cacher/event.js';
import { partsOf } from '../../storage/key.js';
import { type BackgroundOptions, type Job, startJobsOfKinds, storedKinds } from '../background/background.js';
import { Client } from '../client/client.js';
import type { Kind } from '../kinds/kind.js';
import { FINALIZING_INDEX, kindOf, OWNER_INDEX, type Registry } from '../kinds/registry.js';
import { inPages } from '../read/pages.js';
import { objectOf } from '../read/reader.js';
import { Retry } from '../signals/retry.js';
import { dependentsOf, type KindEntry } from '../write/owners.js';
import { definitionChanged } from '../write/write.js';
import { type CollectorWork, eventsAfter, mayGiveWork, newest, waitingOwners, workOf } from './changes.js';
import { collectDependent } from './dependent.js';
import { finishOwner, releaseOwner } from './owner.js';
import { reportMisplaced } from './references.js';
import { Refused } from './refused.js';

const COLLECTOR: UserInfo = { name: 'system:garbage-collector', uid: '', groups: [MASTERS_GROUP], extra: {} };
/** Milliseconds after which all objects with owners are looked at again, in case one was left. */
const LOOK_EVERY = 3_600_000;

/**
 * Deletes the objects whose owners are gone, and does what the finalizers foregroundDeletion and orphan ask for, as
 * Kubernetes' garbage collector does (docs/adr/0006). Each kind is followed by a job of its own. Only the elected
 * server needs to run it, but several servers may.
 */
export function startGarbageCollector(registry: Registry, options: BackgroundOptions): () => Promise<void> {
  return startJobsOfKinds(
    registry,
    (kind, since) => new GarbageOfKind(registry, kind, options.onError, since),
    options,
  );
}

/** The same as jobs that do not run yet. */
export function garbageJobs(registry: Registry, { onError }: Pick<BackgroundOptions, 'onError'>): readonly Job[] {
  return storedKinds(registry).map((kind) => new GarbageOfKind(registry, kind, onError));
}

class GarbageOfKind implements Job {
  readonly wokenBy: string;
  readonly #registry: Registry;
  readonly #refused: Refused;
  readonly #onError: (error: unknown) => void;
  /** All events up to this revision are handled. Absent if that is not known. */
  #handled: number | undefined;
  /** That of the cache then. Revisions of another log say nothing. */
  #logId: number;
  #lookedAt = 0;

  /** `since`: there was no object of the kind at this revision, so all later deletions are known. */
  constructor(registry: Registry, kind: Kind, onError: (error: unknown) => void, since?: number) {
    this.wokenBy = kind.qualified;
    this.#registry = registry;
    this.#handled = since;
    this.#logId = registry.cacher.logId;
    if (since !== undefined) this.#lookedAt = registry.clock.now();
    this.#refused = new Refused(registry.clock);
    this.#onError = onError;
  }

  restart(): void {
    this.#handled = undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#run(signal);
    } catch (error) {
      // The next call handles the same events by the kind as it is then.
      if (!(error instanceof Retry)) throw error;
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { cacher, clock } = this.#registry;
    const client = new Client(this.#registry, { user: COLLECTOR, isTrusted: true, signal });
    await this.#retry(client);
    for (;;) {
      const { logId, state } = cacher;
      const { revision } = state;
      if (logId !== this.#logId) this.#handled = undefined;
      this.#logId = logId;
      const isDue = this.#handled === undefined || clock.now() - this.#lookedAt >= LOOK_EVERY;
      const events = isDue ? undefined : eventsAfter(cacher.ring(this.wokenBy), this.#handled ?? 0);
      if (events === undefined) await this.#look(client, signal);
      else if (events.some(mayGiveWork)) await this.#handle(client, this.#workOf(events), signal);
      if (signal.aborted) return;
      this.#handled = events?.at(-1)?.revision ?? revision;
      if (this.#handled >= revision) return;
      await yieldToLoop();
    }
  }

  /** The kind as it is now. Throws if its definition has gone. */
  get #kind(): Kind {
    const kind = kindOf(this.#registry, this.wokenBy);
    if (kind === undefined) throw definitionChanged({ kind: this.wokenBy, qualified: this.wokenBy });
    return kind;
  }

  #workOf(events: readonly Event[]): CollectorWork {
    return workOf(this.#kind, events, () => this.#isAnyOwned());
  }

  /** Looks at all objects that have owners or wait for the collector. */
  async #look(client: Client, signal: AbortSignal): Promise<void> {
    this.#lookedAt = this.#registry.clock.now();
    for (const page of this.#pages(OWNER_INDEX)) {
      if (signal.aborted) return;
      await this.#collect(client, page);
      await yieldToLoop();
    }
    for (const page of this.#pages(FINALIZING_INDEX)) await this.#finish(client, page, signal);
  }

  *#pages(index: string): Generator<readonly KindEntry[], void> {
    const { reader } = this.#registry;
    const kind = this.#kind;
    for (const page of inPages(reader.walk(kind.qualified, index, []))) yield page.map((entry) => ({ kind, entry }));
  }

  async #handle(client: Client, work: CollectorWork, signal: AbortSignal): Promise<void> {
    const registry = this.#registry;
    for (const owner of work.deleted) {
      for (const page of inPages(dependentsOf(registry, registry.reader, owner))) await this.#collect(client, page);
      if (signal.aborted) return;
    }
    for (const page of inPages(work.dependents)) {
      await this.#collect(
        client,
        page.flatMap((event) => newest(registry, this.#kind, event) ?? []),
      );
      for (const { current, previous } of page) {
        if (current) reportMisplaced(registry, this.#kind, objectOf(current), previous && objectOf(previous));
      }
    }
    await this.#finish(client, work.finalizing, signal);
    for (const owner of waitingOwners(registry, work.holders)) await releaseOwner(client, owner);
  }

  async #finish(client: Client, owners: readonly KindEntry[], signal: AbortSignal): Promise<void> {
    for (const owner of owners) {
      if (signal.aborted) return;
      await finishOwner(client, owner, (page) => this.#collect(client, page));
    }
  }

  async #collect(client: Client, page: readonly KindEntry[]): Promise<void> {
    await Promise.all(page.map((found) => this.#collectOne(client, found)));
  }

  /** A refused deletion must not keep others from being collected. */
  async #collectOne(client: Client, found: KindEntry): Promise<void> {
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
    for (const { resource, key } of this.#refused.due()) {
      const { namespace, name } = partsOf(key);
      const kind = kindOf(this.#registry, resource);
      const entry = this.#registry.reader.entry(resource, namespace, name);
      this.#refused.delete(key);
      if (entry !== undefined && kind !== undefined) await this.#collectOne(client, { kind, entry });
    }
  }

  #isAnyOwned(): boolean {
    const { kinds, reader } = this.#registry;
    return kinds.some(
      ({ conversion, qualified }) =>
        conversion === undefined && reader.entries(qualified, OWNER_INDEX, [], 1).length > 0,
    );
  }
}
