import pLimit from 'p-limit';
import type { Backend } from '../backend.js';
import type { Definitions } from '../state/definitions.js';
import type { TableFolder } from '../tables/folder/folder.js';
import { type Loaded, loadState } from './load.js';
import type { Recent } from './recent.js';

interface LoadsOptions {
  readonly backend: Backend;
  readonly definitions: Definitions;
  readonly recent: Recent;
  readonly folder?: TableFolder | undefined;
  readonly onRefill?: ((why: string) => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The loads of all objects, one after the other: the first one, and those after damage or of another log. */
export class Loads {
  readonly #options: LoadsOptions;
  /**
   * Counts the begins and the ends of loads, so it is odd during one, and after one that failed: the folder may have
   * nothing by then.
   */
  #count = 0;
  readonly #oneAtATime = pLimit(1);
  #logId: number | undefined;

  constructor(options: LoadsOptions) {
    this.#options = options;
  }

  /** Identifies the load that the state comes from. `undefined` during a load, and after one that failed. */
  get current(): number | undefined {
    return this.#count % 2 === 0 ? this.#count : undefined;
  }

  /** `Backend.logId` of the state. */
  get logId(): number | undefined {
    return this.#logId;
  }

  /** Loads again. The files of this process are older than the state that it replaces, but not those of another one. */
  again(use: (loaded: Loaded) => Promise<void> | void, signal: AbortSignal, why: string): Promise<void> {
    return this.#oneAtATime(async () => {
      const isUsable = this.#count === 0 || this.#options.folder?.isWriter === false;
      await use(await this.#load(isUsable, signal, why));
    });
  }

  /** The state is what was loaded now. */
  used({ logId }: Loaded): void {
    this.#count++;
    this.#logId = logId;
  }

  async #load(isUsable: boolean, signal: AbortSignal, why: string): Promise<Loaded> {
    const { backend, definitions, recent, folder, onRefill, onError = () => undefined } = this.#options;
    if (this.#count % 2 === 0) this.#count++;
    const logId = this.#logId ?? backend.logId;
    const source = { backend, definitions, folder, isUsable, why, logId, onRefill, onError };
    return loadState(source, recent.empty.bind(recent), signal);
  }
}
