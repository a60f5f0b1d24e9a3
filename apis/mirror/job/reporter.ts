import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Client } from '../../../registry/client/client.js';
import { timestamp } from '../../../registry/write/metadata.js';
import type { MirrorSpec } from '../mirror/schema.js';
import type { Memory } from './memory.js';
import { happenings, statusOf, type WorkerState } from './status.js';
import type { Store } from './store.js';

/** Milliseconds between two writes of the status, and of what was sent, while much is sent. The second is larger. */
const STATUS_EVERY = 2000;
const REMEMBER_EVERY = 15_000;

export type Snapshot = Omit<WorkerState, 'memory' | 'generation' | 'now'>;

export interface ReporterOptions {
  readonly client: Client;
  readonly mirror: KubeObject<MirrorSpec>;
  readonly memory: Memory;
  readonly store: Store;
}

/** Writes the status of a mirror, stores what was sent, and records events. */
export class Reporter {
  readonly #options: ReporterOptions;
  #lastEvent = '';
  #savedAt = Number.NEGATIVE_INFINITY;
  #rememberedAt = performance.now();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Whether it is time for the next write while much is sent. */
  get isDue(): boolean {
    return performance.now() - this.#savedAt >= STATUS_EVERY;
  }

  /** `isLast`: nothing more comes for a while, so all that was sent is stored, too. */
  async save(snapshot: Snapshot, isLast: boolean): Promise<void> {
    const now = performance.now();
    this.#savedAt = now;
    const remembers = isLast || now - this.#rememberedAt >= REMEMBER_EVERY;
    if (remembers) this.#rememberedAt = now;
    const { client, mirror, memory, store } = this.#options;
    const { generation } = mirror.metadata;
    const state = { ...snapshot, memory, generation, now: timestamp(client.registry.clock.now()) };
    await store.save(remembers ? memory : undefined, (old) => statusOf(state, old));
    this.#record(state);
  }

  #record(state: WorkerState): void {
    const { client, mirror } = this.#options;
    const { apiVersion, kind, metadata } = mirror;
    for (const { reason, message, type } of happenings(state)) {
      const event = `${reason} ${message}`;
      if (reason !== 'Drifted' && this.#lastEvent === event) continue;
      if (reason !== 'Drifted') this.#lastEvent = event;
      const about = { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
      client.registry.report?.({ reason, type, message, about, ...(metadata.uid && { uid: metadata.uid }) });
    }
  }
}
