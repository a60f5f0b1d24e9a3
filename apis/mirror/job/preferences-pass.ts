import type { Attempts } from './attempts.js';
import type { Deletions } from './deletions.js';
import type { Held } from './held.js';
import type { PreferencesNode } from './preferences-source.js';
import { resetPreferences, sendPreferences } from './preferences-step.js';
import { keyOf, partsOf } from './resources.js';
import type { Step } from './step.js';

/** The preferences of one look. They come last, because they name dashboards and teams. */
export class PreferencesPass {
  readonly #step: Step;
  readonly #held: Held;
  readonly #attempts: Attempts;
  readonly #deletions: Deletions;

  constructor(step: Step, held: Held, attempts: Attempts, deletions: Deletions) {
    this.#step = step;
    this.#held = held;
    this.#attempts = attempts;
    this.#deletions = deletions;
  }

  async run(): Promise<void> {
    const { queue, source } = this.#step;
    const due = [...queue.due()].filter((key) => partsOf(key).kind === 'preferences');
    // What they name has perhaps come.
    const partial = [...this.#held.partial.keys()].filter((key) => partsOf(key).kind === 'preferences');
    for (const key of new Set([...due, ...partial])) {
      const node = source.preferences.node(partsOf(key).name);
      if (node === undefined) {
        if (!this.#deletions.isStopped(key)) await this.#deletions.gone(key, () => resetPreferences(this.#step, key));
      } else if (this.#isThere(node) || (queue.isDue(key) && !this.#isOnItsWay(node)))
        await this.#attempts.attempt(key, () => sendPreferences(this.#step, node));
    }
  }

  /** Whether all that they name was sent. */
  #isThere({ team, home }: PreferencesNode): boolean {
    const { memory } = this.#step;
    return (
      (team === undefined || memory.has(keyOf('team', team))) &&
      (home === undefined || memory.has(keyOf('dashboard', home)))
    );
  }

  #isOnItsWay({ home }: PreferencesNode): boolean {
    return home !== undefined && this.#step.queue.isDue(keyOf('dashboard', home));
  }
}
