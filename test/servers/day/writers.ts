import { setTimeout as sleep } from 'node:timers/promises';
import { DayClient, FOLDERS, type Folder } from './client.js';

/** An acknowledged write. Without a title, it deleted the folder. */
export interface Write {
  readonly name: string;
  readonly title: string | undefined;
  readonly revision: number;
}

/** What writers know. A write with another outcome than these is in `wrong`. */
export class Ledger {
  acknowledged: Write[] = [];
  /** Titles of writes that the server says it has not done. */
  readonly refused = new Set<string>();
  /** How many writes nobody knows the outcome of. */
  unknown = 0;
  /** How many reads on another connection showed the write. */
  readBack = 0;
  /** What must never happen. */
  readonly wrong: string[] = [];
  /** Answers that are no success, since it was emptied. */
  failures: string[] = [];
}

/** Milliseconds between two writes of a writer. */
const REST = 20;

/**
 * Writes folders one after another, and reads each on another connection, which the load balancer gives to another
 * server.
 */
export class Writer {
  readonly #name: string;
  readonly #ledger: Ledger;
  readonly #client: DayClient;
  readonly #reader: DayClient;
  /** The folders that are there for certain, with their titles. Nobody else writes them. */
  readonly #folders = new Map<string, string>();
  #count = 0;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(name: string, url: string, keepAlive: boolean, ledger: Ledger) {
    this.#name = name;
    this.#ledger = ledger;
    this.#client = new DayClient(() => url, keepAlive);
    this.#reader = new DayClient(() => url, false);
  }

  start(): void {
    this.#stop = new AbortController();
    this.#running = this.#run(this.#stop.signal);
  }

  /** Resolves when the last write has its answer. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** The database has forgotten what was written since. */
  forget(): void {
    this.#folders.clear();
  }

  close(): void {
    this.#client.close();
    this.#reader.close();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#write();
      await sleep(REST);
    }
  }

  async #write(): Promise<void> {
    const turn = this.#count++ % 5;
    const [known] = this.#folders.keys();
    if (known === undefined || turn < 3) return this.#done('POST', `${this.#name}-${this.#count}`);
    return this.#done(turn === 3 ? 'PUT' : 'DELETE', known);
  }

  async #done(method: 'POST' | 'PUT' | 'DELETE', name: string): Promise<void> {
    const title = method === 'DELETE' ? undefined : `${this.#name} ${this.#count}`;
    const path = method === 'POST' ? FOLDERS : `${FOLDERS}/${name}`;
    this.#folders.delete(name);
    const sent = title === undefined ? undefined : { metadata: { name }, spec: { title } };
    const began = performance.now();
    const { status, text, retryAfter } = await this.#client.send(method, path, sent);
    const took = Math.round(performance.now() - began);
    if (status === 200 || status === 201) {
      const { metadata } = JSON.parse(text) as Folder;
      this.#ledger.acknowledged.push({ name, title, revision: Number(metadata.resourceVersion) });
      if (title !== undefined) this.#folders.set(name, title);
      return this.#readBack(name, title);
    }
    this.#ledger.failures.push(`${method} ${name} after ${took} ms: ${status} ${text.slice(0, 300)}`);
    if (status === 503 && title !== undefined) this.#ledger.refused.add(title);
    else this.#ledger.unknown++;
    if (status === 503 && retryAfter === undefined) this.#ledger.wrong.push(`no Retry-After: ${text}`);
    if (![0, 500, 503, 504].includes(status)) this.#ledger.wrong.push(`${method} ${name}: ${status} ${text}`);
  }

  async #readBack(name: string, title: string | undefined): Promise<void> {
    const { status, text } = await this.#reader.send('GET', `${FOLDERS}/${name}`);
    if (status === (title === undefined ? 404 : 200)) {
      const read = title === undefined ? undefined : (JSON.parse(text) as Folder).spec.title;
      if (read === title) this.#ledger.readBack++;
      else this.#ledger.wrong.push(`${name} was acknowledged as ${title}, and read as ${read}`);
      return;
    }
    this.#ledger.failures.push(`GET ${name}: ${status} ${text.slice(0, 300)}`);
    if (![0, 503, 504].includes(status)) this.#ledger.wrong.push(`GET ${name} after ${title}: ${status} ${text}`);
  }
}
