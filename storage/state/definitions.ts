import type { ResourceDefinition } from './resource.js';
import type { ResourceReader } from './resource-state.js';

/** A state, or the draft of one. */
export interface Resources {
  resource(resource: string): ResourceReader;
}

/** The resources that objects of a state define. */
export interface DefinedResources {
  find(resource: string, state: Resources): ResourceDefinition | undefined;
  all(state: Resources): Iterable<ResourceDefinition>;
  /** The definition of a resource without the object that defines it. It may have fewer rows. */
  plain(resource: string): ResourceDefinition | undefined;
}

const NONE: DefinedResources = { find: () => undefined, all: () => [], plain: () => undefined };

/** The resources of a store: those that are always there, and those that its objects define. */
export class Definitions {
  /** Those that are always there. */
  readonly fixed: ReadonlyMap<string, ResourceDefinition>;
  readonly #defined: DefinedResources;

  constructor(fixed: readonly ResourceDefinition[], defined: DefinedResources = NONE) {
    this.fixed = new Map(fixed.map((definition) => [definition.resource, definition]));
    this.#defined = defined;
  }

  /** `undefined`: the state does not have the resource. A newer server may know it, or its definition is gone. */
  find(resource: string, state: Resources): ResourceDefinition | undefined {
    return this.fixed.get(resource) ?? this.#defined.find(resource, state);
  }

  /** The same, for a caller who knows that it is there. */
  get(resource: string, state: Resources): ResourceDefinition {
    const definition = this.find(resource, state);
    if (definition === undefined) throw undeclared(resource);
    return definition;
  }

  /** Throws for a resource that no state can have. */
  assertPossible(resource: string): void {
    if (!this.fixed.has(resource) && this.#defined === NONE) throw undeclared(resource);
  }

  /** What is known of a resource before there is a state. */
  plain(resource: string): ResourceDefinition | undefined {
    return this.fixed.get(resource) ?? this.#defined.plain(resource);
  }

  /** Those that objects of the state define. */
  defined(state: Resources): Iterable<ResourceDefinition> {
    return this.#defined.all(state);
  }
}

function undeclared(resource: string): Error {
  return new Error(`the resource ${resource} is not declared to the storage engine`);
}
