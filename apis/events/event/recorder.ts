import { MASTERS_GROUP, type UserInfo } from '../../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import { Client } from '../../../registry/client/client.js';
import { type Registry, requireKind } from '../../../registry/kinds/registry.js';
import type { Report } from '../../../registry/kinds/reports.js';
import { timestamp } from '../../../registry/write/metadata.js';

const RECORDER: UserInfo = { name: 'system:event-recorder', uid: '', groups: [MASTERS_GROUP], extra: {} };
const COMPONENT = 'dashboard-apiserver';
/** As in Kubernetes, events of cluster-scoped objects are in this namespace. */
const CLUSTER_EVENTS = 'default';
/** Reports that wait. */
const MOST_WAITING = 100;
/** Events in a minute. Further reports are left out, so that events never fill the store. */
const MOST_A_MINUTE = 60;
const MINUTE = 60_000;
const LONGEST_MESSAGE = 1024;

export interface RecorderOptions {
  readonly registry: Registry;
  readonly onError: (error: unknown) => void;
}

/**
 * Writes what the server reports as Events, one after another and after the write that they are about. Nobody waits for
 * it.
 */
export class EventRecorder {
  readonly #waiting: Report[] = [];
  #options: RecorderOptions | undefined;
  #running: Promise<void> | undefined;
  #minute = 0;
  #inMinute = 0;

  /** Begins to write. What is reported before waits. */
  start(options: RecorderOptions): void {
    this.#options = options;
    if (this.#waiting.length > 0) this.#run(options);
  }

  add(report: Report): void {
    if (this.#waiting.length >= MOST_WAITING) return;
    this.#waiting.push(report);
    if (this.#options !== undefined) this.#run(this.#options);
  }

  /** Resolves when everything is written that was reported so far. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Resolves when nothing is written any more. What waits is dropped. */
  async close(): Promise<void> {
    this.#options = undefined;
    this.#waiting.length = 0;
    await this.#running;
  }

  #run(options: RecorderOptions): void {
    this.#running ??= this.#writeAll(options);
  }

  async #writeAll({ registry, onError }: RecorderOptions): Promise<void> {
    // The request that is reported is answered first.
    await yieldToLoop();
    const kind = requireKind(registry, 'events');
    const client = new Client(registry, { user: RECORDER, isTrusted: true });
    for (let report = this.#waiting.shift(); report !== undefined; report = this.#waiting.shift()) {
      const now = registry.clock.now();
      if (!this.#hasRoom(now)) continue;
      const event = eventOf(report, timestamp(now));
      await client.create(kind, event.metadata.namespace ?? CLUSTER_EVENTS, event).catch((error: unknown) => {
        if (!isNamespaceDeleted(error)) onError(error);
      });
    }
    // Reset in the same step as the last look at what waits, so that a later report starts the next writing.
    this.#running = undefined;
  }

  #hasRoom(now: number): boolean {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) [this.#minute, this.#inMinute] = [minute, 0];
    this.#inMinute++;
    return this.#inMinute <= MOST_A_MINUTE;
  }
}

/** If a create answers 404, the namespace is gone. Its events are deleted with it, so nobody misses this one. */
function isNamespaceDeleted(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const causes = error.details?.causes ?? [];
  return error.code === 404 || causes.some(({ reason }) => reason === 'NamespaceTerminating');
}

/** An event of core/v1, without a name. */
export function eventOf({ about, uid, reason, type, message }: Report, time: string): KubeObject {
  const namespace = about.namespace === '' ? CLUSTER_EVENTS : about.namespace;
  const members = {
    involvedObject: { ...about, ...(uid !== undefined && { uid }) },
    reason,
    type,
    message: message.slice(0, LONGEST_MESSAGE),
    source: { component: COMPONENT },
    reportingComponent: COMPONENT,
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  return { apiVersion: 'v1', kind: 'Event', metadata: { name: '', generateName: 'server-', namespace }, ...members };
}
