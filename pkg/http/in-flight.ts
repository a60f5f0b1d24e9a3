/** How many requests are being served, and how many may be. */
export class InFlight {
  readonly #most: number;
  readonly #mostMutating: number;
  #reads = 0;
  #writes = 0;

  constructor(most: number, mostMutating: number) {
    this.#most = most;
    this.#mostMutating = mostMutating;
  }

  get reads(): number {
    return this.#reads;
  }

  get writes(): number {
    return this.#writes;
  }

  /** False when there is no place. */
  enter(isMutating: boolean): boolean {
    if (isMutating) {
      if (this.#writes >= this.#mostMutating) return false;
      this.#writes++;
      return true;
    }
    if (this.#reads >= this.#most) return false;
    this.#reads++;
    return true;
  }

  leave(isMutating: boolean): void {
    if (isMutating) this.#writes--;
    else this.#reads--;
  }
}
