import type { Event } from './event.js';

/** The changes since a state. */
export interface Journal {
  readonly events: readonly Event[];
  stop(): void;
}

/** Notes changes for those who make something of a state that is still being changed. */
export class Journals {
  readonly #open = new Set<Event[]>();

  /** Notes all changes from now on, until `stop` is called. */
  begin(): Journal {
    const events: Event[] = [];
    this.#open.add(events);
    return { events, stop: () => void this.#open.delete(events) };
  }

  note(event: Event): void {
    for (const events of this.#open) events.push(event);
  }
}
