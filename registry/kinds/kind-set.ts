import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { DefinedResources, Resources } from '../../storage/state/definitions.js';
import type { ResourceDefinition } from '../../storage/state/resource.js';
import type { ResourceReader } from '../../storage/state/resource-state.js';
import { type Entry, nameOf, objectOf } from '../read/reader.js';
import type { Fate } from './fate.js';
import type { Kind } from './kind.js';
import { resourceDefinition } from './registry.js';

/** The source of the kinds that are not compiled in. */
export interface KindSource {
  /**
   * `<plural>.<group>` of the objects that define kinds. The name of each is `<plural>.<group>` of the kinds that it
   * defines. The summaries of two of them are the same if they define the same.
   */
  readonly resource: string;
  /**
   * The kinds that an object defines: the stored one, and those that convert to it. None, if it defines nothing yet.
   * Pure.
   */
  kindsOf(object: KubeObject): readonly Kind[];
  /** The definition for the storage layer if the definition of the kind is not there. Rows may be missing. */
  plain(resource: string): ResourceDefinition;
}

/** The kinds of one state. */
interface Kinds {
  readonly all: readonly Kind[];
  /** Those that objects define, by the name of the object. */
  readonly defined: ReadonlyMap<string, Defined>;
}

interface Defined {
  readonly summary: unknown;
  /** Of the object that defines the kinds. */
  readonly revision: number;
  readonly kinds: readonly Kind[];
  readonly definition: ResourceDefinition | undefined;
}

/**
 * The kinds of a server: those that are compiled in, and those that objects of the store define. Which they are follows
 * from the state.
 */
export class KindSet implements DefinedResources {
  readonly #fixed: Kinds;
  readonly #source: KindSource | undefined;
  /** By the version of the defining objects. */
  readonly #known = new WeakMap<object, Kinds>();
  #last: Kinds;
  /** The version that was asked for last, and its kinds, because mostly they are asked for again. */
  #asked: { readonly version: object; readonly kinds: Kinds } | undefined;

  constructor(fixed: readonly Kind[], source?: KindSource) {
    this.#fixed = { all: fixed, defined: new Map() };
    this.#last = this.#fixed;
    this.#source = source;
  }

  /** All kinds in a state. The same array as long as they are the same. */
  at(state: Resources): readonly Kind[] {
    return this.#at(state).all;
  }

  /** Whether a state has exactly this kind. */
  has(kind: Kind, state: Resources): boolean {
    if (kind.definedBy === undefined) return true;
    return this.#at(state).defined.get(kind.definedBy)?.kinds.includes(kind) === true;
  }

  /** What became of a kind that an earlier state had. */
  fate(kind: Kind, state: Resources): Fate {
    if (kind.definedBy === undefined) return 'same';
    const defined = this.#at(state).defined.get(kind.definedBy);
    if (defined === undefined) return 'gone';
    const now = defined.kinds.find(({ apiVersion }) => apiVersion === kind.apiVersion);
    return now?.shape === kind.shape ? 'same' : 'changed';
  }

  find(resource: string, state: Resources): ResourceDefinition | undefined {
    return this.#at(state).defined.get(resource)?.definition;
  }

  *all(state: Resources): Generator<ResourceDefinition, void, undefined> {
    for (const { definition } of this.#at(state).defined.values()) if (definition !== undefined) yield definition;
  }

  plain(resource: string): ResourceDefinition | undefined {
    return this.#source?.plain(resource);
  }

  #at(state: Resources): Kinds {
    if (this.#source === undefined) return this.#fixed;
    const objects = state.resource(this.#source.resource);
    const { version } = objects;
    if (this.#asked?.version === version) return this.#asked.kinds;
    let kinds = this.#known.get(version);
    if (kinds === undefined) {
      kinds = this.#kindsIn(this.#source, objects);
      this.#known.set(version, kinds);
      this.#last = kinds;
    }
    this.#asked = { version, kinds };
    return kinds;
  }

  /** Kinds that did not change are taken from the last state, because making a kind takes milliseconds. */
  #kindsIn(source: KindSource, objects: ResourceReader): Kinds {
    const defined = new Map<string, Defined>();
    let isSame = true;
    for (const entry of objects.entries('', '\uffff')) {
      const { summary } = entry.attributes;
      const name = nameOf(entry);
      const known = this.#last.defined.get(name);
      const isKnown = known !== undefined && known.summary === summary && isFor(known, entry.revision);
      isSame &&= isKnown;
      defined.set(name, isKnown ? known : definedBy(entry, kindsOf(source, objectOf(entry))));
    }
    if (isSame && defined.size === this.#last.defined.size) return this.#last;
    return { all: [...this.#fixed.all, ...[...defined.values()].flatMap(({ kinds }) => kinds)], defined };
  }
}

/**
 * Whether the kinds are those of this revision. `completion` compares stored objects with the revision of their
 * definition, which changes if a commit is tried again.
 */
function isFor({ kinds, revision }: Defined, at: number): boolean {
  return revision === at || kinds.every(({ completion }) => completion === undefined);
}

/**
 * If this server cannot serve a stored definition, it must still serve all others. Such definitions are refused when
 * they are written.
 */
function kindsOf(source: KindSource, object: KubeObject): readonly Kind[] {
  try {
    return source.kindsOf(object);
  } catch {
    return [];
  }
}

function definedBy({ attributes, revision }: Entry, kinds: readonly Kind[]): Defined {
  const stored = kinds.find(({ conversion }) => conversion === undefined);
  const { summary } = attributes;
  return { summary, revision, kinds, definition: stored && resourceDefinition(stored) };
}
