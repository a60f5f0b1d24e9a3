import { signal } from '@preact/signals';
import type { Item } from './elements.js';
import { type Details, find } from './find.js';

/** Milliseconds for which questions are gathered. */
const GATHER = 30;
/** The most objects that one request asks for. */
const MOST_ASKED = 100;
const TYPES = { folders: 'folder', dashboards: 'dashboard' } as const;
type Kind = keyof typeof TYPES;

type Named = Pick<Item, 'kind' | 'name'>;
const keyOf = ({ kind, name }: Named): string => `${kind}/${name}`;

/** Who changed the folders and dashboards of a list and when, and what lies in folders. It asks for many at once. */
export class DetailsStore {
  /** Changes whenever something is learnt. */
  readonly version = signal(0);
  /** Changes when what is known may be outdated. */
  readonly epoch = signal(0);
  readonly #namespace: string;
  readonly #known = new Map<string, Details>();
  readonly #asked = new Set<string>();
  #next: Record<Kind, string[]> = { folders: [], dashboards: [] };
  #isPlanned = false;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** What is known of an item. A component that reads it is drawn again when more is known. */
  of(item: Item): Details | undefined {
    this.version.value;
    return item.details ?? this.#known.get(keyOf(item));
  }

  /** Asks for an item, unless it was asked for since the last change. */
  ask({ kind, name, details }: Item): void {
    if ((kind !== 'folders' && kind !== 'dashboards') || details !== undefined) return;
    const key = keyOf({ kind, name });
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    this.#next[kind].push(name);
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setTimeout(() => void this.#answer(), GATHER);
  }

  /** What is known stays until the new answers come. */
  stale(): void {
    this.#asked.clear();
    this.epoch.value++;
  }

  async #answer(): Promise<void> {
    const next = this.#next;
    this.#next = { folders: [], dashboards: [] };
    this.#isPlanned = false;
    for (const kind of ['folders', 'dashboards'] as const)
      for (let at = 0; at < next[kind].length; at += MOST_ASKED)
        // Without an answer, the columns stay empty.
        await this.#learn(kind, next[kind].slice(at, at + MOST_ASKED)).catch(() => undefined);
  }

  async #learn(kind: Kind, names: readonly string[]): Promise<void> {
    const query = { type: TYPES[kind], name: names.join(','), details: true, limit: names.length } as const;
    const { hits } = await find(this.#namespace, query);
    for (const { name, updated, updatedBy, contents } of hits)
      this.#known.set(keyOf({ kind, name }), {
        ...(updated !== undefined && { updated }),
        ...(updatedBy !== undefined && { updatedBy }),
        ...(contents !== undefined && { contents }),
      });
    this.version.value++;
  }
}
