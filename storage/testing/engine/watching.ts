import type { Revision } from '../../backend.js';
import type { WatchOptions } from '../../cacher/watch-step.js';
import { Signal } from '../../signal.js';
import { decodeObject } from '../../state/codec.js';
import type { Entry } from '../../state/entry.js';
import type { Server } from './fixture.js';
import type { TestObject } from './resources.js';
import { watch } from './watch-steps.js';

export interface Seen {
  readonly type: string;
  readonly key: string;
  /** The revision of the event; `resourceVersion` is the revision in the object. */
  readonly revision: Revision;
  readonly resourceVersion: string | undefined;
  readonly frame: Buffer;
}

/** A watch that is read in the background as fast as possible. */
export class Watching {
  readonly seen: Seen[] = [];
  /** The `through` of each step, with the number of events that had been delivered by then. */
  readonly marks: { readonly through: Revision; readonly seen: number }[] = [];
  readonly #stop = new AbortController();
  readonly #moved = new Signal();
  readonly #ended: Promise<void>;
  #failure: { readonly error: unknown } | undefined;

  constructor(server: Server, options: Partial<WatchOptions> & Pick<WatchOptions, 'resource' | 'after'>) {
    this.#ended = this.#read(server, { selects: () => true, ...options, signal: this.#stop.signal });
  }

  /** Resolves once everything up to `revision` has been delivered. */
  async until(revision: Revision): Promise<readonly Seen[]> {
    while ((this.marks.at(-1)?.through ?? -1) < revision) {
      if (this.#failure !== undefined) throw this.#failure.error;
      await this.#moved.wait();
    }
    return this.seen;
  }

  /** Rejects with the error that ended the watch. */
  async ended(): Promise<void> {
    await this.#ended;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #read(server: Server, options: WatchOptions): Promise<void> {
    try {
      for await (const { deliveries, through } of watch(server.cacher, options)) {
        for (const one of deliveries) this.seen.push(seenOf(one.type, one.event, one.frame()));
        if (through !== undefined) this.marks.push({ through, seen: this.seen.length });
        this.#moved.notify();
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#moved.notify();
  }
}

function seenOf(type: string, event: { readonly key: string; readonly revision: Revision }, frame: Buffer): Seen {
  const { object } = decodeObject(frame) as { readonly object: TestObject };
  return { type, key: event.key, revision: event.revision, resourceVersion: object.metadata.resourceVersion, frame };
}

export function plain({ type, key, revision }: Seen): string {
  return `${revision} ${type} ${key.slice(key.lastIndexOf('/') + 1)}`;
}

/** Updates a list by the events after it. */
export function replayed(list: ReadonlyMap<string, string>, seen: readonly Seen[]): ReadonlyMap<string, string> {
  const objects = new Map(list);
  for (const { type, key, frame } of seen) {
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, JSON.stringify((decodeObject(frame) as { readonly object: unknown }).object));
  }
  return objects;
}

export function byLabel(name: string, value: string): (entry: Entry) => boolean {
  return ({ attributes }) => attributes.labels?.[name] === value;
}
