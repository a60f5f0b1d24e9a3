import { yieldToLoop } from '../../system/yielding/yielding.js';

/** Where the lines of the audit log go. */
export interface AuditTarget {
  /** Writes whole lines. Rejects if not all of them could be written. */
  write(lines: string): Promise<void>;
  close(): Promise<void>;
}

export interface SinkOptions {
  readonly target: AuditTarget;
  /** Called at most every ten seconds if events were lost. */
  readonly onError: (error: unknown, lost: number) => void;
  /** Characters that may wait to be written. */
  readonly maxWaiting?: number;
  /** Milliseconds that an answer waits for room. */
  readonly patience?: number;
  /** Milliseconds between two writes. */
  readonly pause?: number;
}

const MOST_WAITING = 16 * 2 ** 20;
const PATIENCE = 5_000;
/** Characters that are written at once. */
const AT_ONCE = 256 * 1024;
/** A write costs as much CPU time as a hundred lines, so the lines of these milliseconds are written together. */
const PAUSE = 20;
const REPORT_EVERY = 10_000;

/**
 * Writes lines in the background, in order, within some milliseconds. While they fit in the buffer, nobody waits. When
 * the buffer is full, the answers of audited requests wait, as in Kubernetes' mode `blocking`. So nobody can hide an
 * action behind a flood of others. Events are lost only if they cannot be written, or if there is no room for five
 * seconds. Both are counted.
 */
export class AuditSink {
  readonly #options: Required<SinkOptions>;
  #lines: string[] = [];
  #waiting = 0;
  #writing: Promise<void> | undefined;
  #hurry: (() => void) | undefined;
  #isClosing = false;
  readonly #wake = new Set<() => void>();
  #events = 0;
  #lost = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor({ maxWaiting = MOST_WAITING, patience = PATIENCE, pause = PAUSE, ...options }: SinkOptions) {
    this.#options = { ...options, maxWaiting, patience, pause };
  }

  /** Events so far, the lost ones included. */
  get events(): number {
    return this.#events;
  }

  get lost(): number {
    return this.#lost;
  }

  /** Answers that wait for room now. */
  get waiters(): number {
    return this.#wake.size;
  }

  write = (line: string): Promise<void> | undefined => {
    this.#events++;
    if (this.#waiting < this.#options.maxWaiting) {
      this.#add(line);
      return undefined;
    }
    return this.#addWhenThereIsRoom(line, performance.now() + this.#options.patience);
  };

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#hurry?.();
    while (this.#writing !== undefined) await this.#writing;
    await this.#options.target.close();
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#waiting += line.length;
    if (this.#waiting >= AT_ONCE) this.#hurry?.();
    this.#writing ??= this.#writeAll();
  }

  async #addWhenThereIsRoom(line: string, until: number): Promise<void> {
    while (this.#waiting >= this.#options.maxWaiting) {
      const left = until - performance.now();
      if (left <= 0) return this.#lose(1, new Error('the audit log is written too slowly'));
      await this.#room(left);
    }
    this.#add(line);
  }

  #room(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        // A write may hang for hours. A caller that has stopped waiting must not stay in memory until then.
        this.#wake.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#wake.add(wake);
    });
  }

  async #writeAll(): Promise<void> {
    // The lines of this turn of the event loop are written together.
    await yieldToLoop();
    while (this.#lines.length > 0) {
      const lines = this.#take();
      const text = lines.join('');
      const isFull = this.#waiting >= this.#options.maxWaiting;
      await this.#options.target.write(text).catch((error: unknown) => this.#lose(lines.length, error));
      this.#waiting -= text.length;
      for (const wake of this.#wake) wake();
      if (!isFull) await this.#pause();
    }
    this.#writing = undefined;
  }

  async #pause(): Promise<void> {
    if (this.#isClosing || this.#waiting >= AT_ONCE) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.pause);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(): readonly string[] {
    let [count, length] = [0, 0];
    for (const line of this.#lines) {
      if (count > 0 && length + line.length > AT_ONCE) break;
      length += line.length;
      count++;
    }
    return this.#lines.splice(0, count);
  }

  #lose(count: number, error: unknown): void {
    this.#lost += count;
    if (performance.now() - this.#reportedAt < REPORT_EVERY) return;
    this.#reportedAt = performance.now();
    this.#options.onError(error, this.#lost);
  }
}

/** The standard output of the process. */
export function standardOutput(out: NodeJS.WritableStream = process.stdout): AuditTarget {
  // Without a listener, a reader that has gone would end the process. The write rejects, too.
  out.on('error', () => undefined);
  return {
    write: (lines) =>
      new Promise((resolve, reject) => {
        out.write(lines, (error) => (error == null ? resolve() : reject(error)));
      }),
    close: async () => undefined,
  };
}
