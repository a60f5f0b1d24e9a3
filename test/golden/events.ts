import type { Placeholders } from './placeholders.js';

interface WatchEvent {
  readonly type: string;
  readonly object?: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
}

/**
 * Collects the events of a watch. Of the bookmarks, only the one after the initial events is kept, because others come
 * at any time.
 */
export class WatchEvents {
  readonly #events: WatchEvent[] = [];
  #rest = '';

  add(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    const events = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WatchEvent);
    this.#events.push(...events.filter(isExpected));
  }

  get count(): number {
    return this.#events.length;
  }

  /** The first `count` events, with placeholders for values that differ in every run. */
  of(values: Placeholders, count = this.#events.length): readonly unknown[] {
    return this.#events.slice(0, count).map((event) => values.ofAnswer(event));
  }
}

function isExpected({ type, object }: WatchEvent): boolean {
  return type !== 'BOOKMARK' || object?.metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
}
