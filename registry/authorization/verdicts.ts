import { LRUCache } from 'lru-cache';
import { type Grants, hasNoScopes } from '../../pkg/identity/authz/grants.js';
import type { Entry, Reader } from '../read/reader.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** What is remembered takes at most so many bytes. What was asked for least recently is forgotten. */
const MOST_BYTES = 32 * 2 ** 20;
/** About what the verdicts of a question take without any. */
const OVERHEAD = 512;
/** Verdicts for so many entries in a row are kept together. */
const [CHUNK_BITS, CHUNK] = [12, 2 ** 12];
const [ALLOWED, REFUSED] = [1, 2];

type Shelf = NonNullable<Entry['shelf']>;
type Decide = (entry: Entry) => boolean;

/** What decides about the objects of a kind, beside themselves. */
export interface Question {
  readonly hierarchy: ScopeHierarchy;
  readonly grants: Grants;
  /** The actions that are needed. */
  readonly actions: readonly string[];
  readonly namespace: string;
}

/**
 * The same filter, which remembers across requests what it has decided about entries on a shelf: a byte for each, so
 * that the next list reads neither their attributes nor the containers above them. It is forgotten when one of these is
 * moved or restricted.
 */
export function withMemory(question: Question, reader: Reader, decide: Decide): Decide {
  const { moment } = reader;
  if (moment === undefined) return decide;
  let verdicts: Verdicts | undefined;
  return (entry) => {
    const { shelf } = entry;
    // What is decided at another moment may be based on containers of both.
    if (shelf === undefined || reader.moment !== moment) return decide(entry);
    verdicts ??= verdictsOf(question, reader);
    return verdicts.of(shelf, entry, decide);
  };
}

const remembered = new LRUCache<string, Verdicts>({ maxSize: MOST_BYTES, sizeCalculation: ({ bytes }) => bytes });

function verdictsOf(question: Question, reader: Reader): Verdicts {
  const { hierarchy, actions, namespace } = question;
  const key = JSON.stringify([idOf(hierarchy), namespace, actions, basisOf(question)]);
  const layouts = decidingResources(hierarchy).map((resource) => reader.layout(resource));
  const known = remembered.get(key);
  if (known?.isOf(layouts) === true) return known;
  const fresh: Verdicts = new Verdicts(layouts, () => void remembered.set(key, fresh));
  return fresh;
}

/** All callers who have nothing but a basic role get the same verdicts. */
function basisOf({ grants, actions }: Question): unknown {
  const scopes = actions.map((action) => grants.scopesOf(action));
  if (scopes.length === 0 || scopes.some((one) => one !== undefined && !hasNoScopes(one))) return idOf(grants);
  return scopes.map((one) => one?.basic && [one.basic.everything, one.basic.prefixes]);
}

/** The resources whose objects decide about others: containers, and what objects are about. */
function decidingResources({ container, about }: ScopeHierarchy): readonly string[] {
  const own = container === undefined ? [] : [container.qualified];
  return about === undefined ? own : [...own, about.kind.qualified, ...decidingResources(about)];
}

const ids = new WeakMap<object, number>();
let lastId = 0;

function idOf(one: object): number {
  const id = ids.get(one) ?? ++lastId;
  ids.set(one, id);
  return id;
}

/** The verdicts about one question, as long as nothing that decides it changes. */
class Verdicts {
  readonly #layouts: readonly object[];
  readonly #onGrowth: () => void;
  readonly #byShelf = new WeakMap<Shelf, (Uint8Array | undefined)[]>();
  #shelf: Shelf | undefined;
  #chunks: (Uint8Array | undefined)[] = [];
  bytes = OVERHEAD;

  constructor(layouts: readonly object[], onGrowth: () => void) {
    this.#layouts = layouts;
    this.#onGrowth = onGrowth;
  }

  isOf(layouts: readonly object[]): boolean {
    return layouts.every((layout, i) => layout === this.#layouts[i]);
  }

  of(shelf: Shelf, entry: Entry, decide: Decide): boolean {
    if (shelf !== this.#shelf) this.#turnTo(shelf);
    const { number } = entry;
    const chunk = this.#chunks[number >>> CHUNK_BITS] ?? this.#grow(number >>> CHUNK_BITS);
    const at = number & (CHUNK - 1);
    const known = chunk[at];
    if (known !== 0) return known === ALLOWED;
    const isAllowed = decide(entry);
    chunk[at] = isAllowed ? ALLOWED : REFUSED;
    return isAllowed;
  }

  #turnTo(shelf: Shelf): void {
    this.#shelf = shelf;
    this.#chunks = this.#byShelf.get(shelf) ?? [];
    this.#byShelf.set(shelf, this.#chunks);
  }

  #grow(at: number): Uint8Array {
    const chunk = new Uint8Array(CHUNK);
    this.#chunks[at] = chunk;
    this.bytes += CHUNK;
    this.#onGrowth();
    return chunk;
  }
}
