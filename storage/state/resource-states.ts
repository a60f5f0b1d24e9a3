import { EMPTY, type ResourceState } from './resource-state.js';

/**
 * The states of all resources, by name. Each commit copies them, and so does each transaction that may be taken back.
 * So a name has one place for good, which all copies share, and a copy takes the places only: a copy of a map of sixty
 * resources would be a tenth of what a write of one client allocates.
 */
export class ResourceStates {
  readonly #places: Map<string, number>;
  readonly #states: (ResourceState | undefined)[];

  private constructor(places: Map<string, number>, states: (ResourceState | undefined)[]) {
    this.#places = places;
    this.#states = states;
  }

  static none(): ResourceStates {
    return new ResourceStates(new Map(), []);
  }

  copy(): ResourceStates {
    return new ResourceStates(this.#places, this.#states.slice());
  }

  /** Those that have, or had, objects. */
  *names(): Generator<string, void, undefined> {
    for (const [resource, place] of this.#places) if (this.#states[place] !== undefined) yield resource;
  }

  get(resource: string): ResourceState {
    const place = this.#places.get(resource);
    return place === undefined ? EMPTY : (this.#states[place] ?? EMPTY);
  }

  set(resource: string, state: ResourceState): void {
    const place = this.#places.get(resource) ?? this.#places.size;
    this.#places.set(resource, place);
    // Another copy may have taken the places before. Without holes, V8 keeps the array in its fastest form.
    while (this.#states.length < place) this.#states.push(undefined);
    this.#states[place] = state;
  }
}
