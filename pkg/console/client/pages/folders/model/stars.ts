import { signal } from '@preact/signals';
import { wordsOf } from '../../../lib/api.js';
import { setStar, starredNames } from './find.js';
import { orNone } from './none.js';

/** The dashboards that the person has starred in a namespace. */
export class Stars {
  readonly names = signal<ReadonlySet<string>>(new Set());
  /** Counts the changes that the server has stored. */
  readonly saved = signal(0);
  readonly #namespace: string;
  /** Counts the changes that were begun or ended. */
  #changes = 0;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /**
   * Callers who are not users have no stars. A star that is set meanwhile stays: the answer may not have it yet.
   * Rejects if the server does not say.
   */
  async load(): Promise<void> {
    const changes = this.#changes;
    const names = await starredNames(this.#namespace)
      .catch(orNone<readonly string[]>([]))
      .catch((error: unknown) => {
        throw new Error(`Your stars could not be loaded: ${wordsOf(error)}`, { cause: error });
      });
    if (changes === this.#changes) this.names.value = new Set(names);
    else await this.load();
  }

  /** Shows the change at once, and takes it back if the server refuses it. */
  async set(name: string, isStarred: boolean): Promise<void> {
    this.#mark(name, isStarred);
    try {
      await setStar(this.#namespace, name, isStarred);
      this.#changes++;
      this.saved.value++;
    } catch (error) {
      this.#mark(name, !isStarred);
      throw error;
    }
  }

  #mark(name: string, isStarred: boolean): void {
    this.#changes++;
    const names = new Set(this.names.peek());
    if (isStarred) names.add(name);
    else names.delete(name);
    this.names.value = names;
  }
}
