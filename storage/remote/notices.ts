import type { Port } from '../../pkg/system/ipc/calls.js';
import type { Revision } from '../backend.js';

/**
 * Milliseconds between two messages to one process. A reader looks at the store itself, so only watches wait for the
 * notices.
 */
const PAUSE = 5;

/** A message of the owner of a store to another process: the log has grown to this revision. */
interface Appended {
  readonly appended: Revision;
}

/** The revision, if this message tells of an append. */
export function appendedOf(message: unknown): Revision | undefined {
  if (typeof message !== 'object' || message === null || !('appended' in message)) return undefined;
  return Number(message.appended);
}

/**
 * Tells one process what the others append: at once, but not more often than every few milliseconds, because each
 * message wakes it.
 */
export class Notices {
  readonly #port: Port;
  #end: Revision = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #pause: NodeJS.Timeout | undefined;

  constructor(port: Port) {
    this.#port = port;
  }

  tell(end: Revision): void {
    this.#end = end;
    if (this.#pause !== undefined) return;
    const remaining = this.#sentAt + PAUSE - performance.now();
    if (remaining <= 0) this.#send();
    else this.#pause = setTimeout(() => this.#send(), remaining).unref();
  }

  /** The process is gone. */
  stop(): void {
    clearTimeout(this.#pause);
  }

  #send(): void {
    this.#pause = undefined;
    this.#sentAt = performance.now();
    this.#port.post({ appended: this.#end } satisfies Appended);
  }
}
