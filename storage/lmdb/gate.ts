import type { RootDatabase } from 'lmdb';
import type { Bytes } from '../backend.js';
import { openRoot } from './tables.js';

/**
 * Keeps the thread of lmdb-js from beginning its transaction while the statements of a large one are handed over. The
 * thread commits as soon as it has done all that it was given so far, and lmdb-js has no call to give it the statements
 * of one transaction in several turns of the event loop. But LMDB has one writer at a time. So a second handle of the
 * same file holds an empty transaction meanwhile, and the thread waits for its end.
 */
export class WriteGate {
  readonly #path: string;
  #root: RootDatabase<Bytes, Bytes> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when nobody else can write. Call the result, in any case, to open the gate. */
  async shut(): Promise<() => Promise<unknown>> {
    // Few servers ever write so much at once. lmdb-js uses the file that is open already, so the lock on the folder
    // stays.
    this.#root ??= openRoot(this.#path);
    const root = this.#root;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let transaction: Promise<unknown> = opened;
    await new Promise<void>((resolve, reject) => {
      transaction = root.transaction(async () => {
        resolve();
        await opened;
      });
      transaction.catch(reject);
    });
    return () => {
      open();
      return transaction;
    };
  }

  async close(): Promise<void> {
    await this.#root?.close();
  }
}
