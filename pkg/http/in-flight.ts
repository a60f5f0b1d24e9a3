/** What a request takes up while it is served. A watch is served for as long as its client likes. */
export type Place = 'read' | 'write' | 'watch';

/** How many requests of each sort are being served, and how many may be. */
export class InFlight {
  readonly #most: Readonly<Record<Place, number>>;
  readonly #taken = { read: 0, write: 0, watch: 0 };

  constructor(most: Readonly<Record<Place, number>>) {
    this.#most = most;
  }

  count(place: Place): number {
    return this.#taken[place];
  }

  /** False when there is no place. */
  enter(place: Place): boolean {
    if (this.#taken[place] >= this.#most[place]) return false;
    this.#taken[place]++;
    return true;
  }

  leave(place: Place): void {
    this.#taken[place]--;
  }
}
