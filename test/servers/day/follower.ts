import { setTimeout as sleep } from 'node:timers/promises';
import { DayClient, FOLDERS, type Folder } from './client.js';

export interface Seen {
  readonly revision: number;
  readonly type: string;
  readonly name: string;
  readonly title: string;
}

/** What a follower has from one list on, until the server told it to list again. */
export interface Stretch {
  /** The revision of the list. */
  readonly from: number;
  readonly folders: ReadonlyMap<string, string>;
  readonly events: Seen[];
  /** How often the database had been set back when it listed. */
  readonly history: number;
}

/** Lists folders, watches them, and continues where a watch ended, as informers do. */
export class Follower {
  readonly stretches: Stretch[] = [];
  /** Connections that failed, and answers that are no success, since it was emptied. */
  failures: string[] = [];
  readonly #client: DayClient;
  readonly #history: () => number;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #last = 0;
  #end: () => void = () => undefined;

  /** `history` tells how often the database was set back. */
  constructor(url: string, history: () => number) {
    this.#client = new DayClient(() => url, false);
    this.#history = history;
    this.#running = this.#run();
  }

  get revision(): number {
    return this.#last;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#end();
    await this.#running;
    this.#client.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let current: Stretch | undefined;
    while (!signal.aborted) {
      try {
        current ??= await this.#list();
        if (current !== undefined && (await this.#watch(current))) current = undefined;
      } catch (error) {
        if (!signal.aborted) this.failures.push(String(error));
        await sleep(50);
      }
    }
  }

  async #list(): Promise<Stretch | undefined> {
    const history = this.#history();
    const { status, text } = await this.#client.send('GET', FOLDERS);
    if (status !== 200) throw new Error(`${status} for a list`);
    if (history !== this.#history()) return undefined;
    const { metadata, items } = JSON.parse(text) as Folder & { readonly items: readonly Folder[] };
    const from = Number(metadata.resourceVersion);
    const folders = new Map(items.map((item) => [item.metadata.name, item.spec.title]));
    const stretch = { from, folders, events: [], history };
    this.stretches.push(stretch);
    this.#last = from;
    return stretch;
  }

  /** True if the follower must list again. */
  async #watch({ events }: Stretch): Promise<boolean> {
    const path = `${FOLDERS}?watch=true&allowWatchBookmarks=true&resourceVersion=${this.#last}&timeoutSeconds=300`;
    const onOpen = (end: () => void): void => {
      this.#end = end;
    };
    for await (const line of this.#client.lines(path, onOpen)) {
      if (this.#stop.signal.aborted) return false;
      const { type, object } = JSON.parse(line) as { type: string; object: Folder & { readonly code?: number } };
      if (type === 'ERROR') {
        if (object.code === 410) return true;
        throw new Error(`a watch ended with ${line}`);
      }
      this.#last = Number(object.metadata.resourceVersion);
      if (type === 'BOOKMARK') continue;
      events.push({ revision: this.#last, type, name: object.metadata.name, title: object.spec.title });
    }
    return false;
  }
}
