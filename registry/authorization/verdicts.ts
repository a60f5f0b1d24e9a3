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

type EntryGroup = NonNullable<Entry['group']>;
type Decide = (entry: Entry) => boolean;
/** The verdicts about the entries of a group, by their numbers. */
type Chunks = (Uint8Array | undefined)[];
/** How many chunks a group has. A group that is not used any more is forgotten with its chunks. */
interface CountedGroup {
  readonly group: WeakRef<EntryGroup>;
  readonly chunks: number;
}

/** What decides about the objects of a kind, beside themselves. */
export interface DecisionInputs {
  readonly hierarchy: ScopeHierarchy;
  readonly grants: Grants;
  /** The actions that are needed. */
  readonly actions: readonly string[];
  readonly namespace: string;
}

/**
 * The same filter, which remembers across requests what it has decided about entries of a group: a byte for each, so
 * that the next list reads neither their attributes nor the containers above them. It is forgotten when one of these is
 * moved or restricted.
 */
export function withMemory(question: DecisionInputs, reader: Reader, decide: Decide): Decide {
  const { moment } = reader;
  if (moment === undefined) return decide;
  let verdicts: Verdicts | undefined;
  let last: EntryGroup | undefined;
  let chunks: Chunks = [];
  return (entry) => {
    const { group } = entry;
    // What is decided at another moment may be based on containers of both.
    if (group === undefined || reader.moment !== moment) return decide(entry);
    verdicts ??= verdictsOf(question, reader);
    if (group !== last) chunks = verdicts.on(group);
    last = group;
    return verdicts.of(group, chunks, entry, decide);
  };
}

const remembered = new LRUCache<string, Verdicts>({ maxSize: MOST_BYTES, sizeCalculation: ({ bytes }) => bytes });

function verdictsOf(question: DecisionInputs, reader: Reader): Verdicts {
  const { hierarchy, actions, namespace } = question;
  const key = JSON.stringify([idOf(hierarchy), reader.logId, namespace, actions, basisOf(question)]);
  const layouts = hierarchy.deciding.map((resource) => reader.layout(resource));
  const known = remembered.get(key);
  if (known?.isOf(layouts) === true) return known;
  const fresh = newVerdicts(key, layouts, reader.revision);
  // A list of the past takes nothing from the newer lists.
  if (known === undefined || known.revision <= reader.revision) remembered.set(key, fresh);
  return fresh;
}

/**
 * They are weighed anew whenever they grow, unless newer ones have taken their place. They must not refer to the reader
 * of the request: that would keep a whole state and its files for as long as the verdicts are remembered.
 */
function newVerdicts(key: string, layouts: readonly object[], revision: number): Verdicts {
  const fresh: Verdicts = new Verdicts(layouts, revision, () => {
    if (remembered.peek(key) !== fresh) return;
    // The cache does not weigh a value again that it has.
    remembered.delete(key);
    remembered.set(key, fresh);
  });
  return fresh;
}

/** Bytes of the verdicts that are remembered, as they are counted. */
export function rememberedBytes(): number {
  return remembered.calculatedSize;
}

/** All callers who have nothing but a basic role get the same verdicts. */
function basisOf({ grants, actions }: DecisionInputs): unknown {
  const scopes = actions.map((action) => grants.scopesOf(action));
  if (scopes.length === 0 || scopes.some((scope) => scope !== undefined && !hasNoScopes(scope))) return idOf(grants);
  return scopes.map((scope) => scope?.basic && [scope.basic.everything, scope.basic.prefixes]);
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
  /** A state that they hold at. */
  readonly revision: number;
  readonly #layouts: readonly object[];
  readonly #onGrowth: () => void;
  /** A group is part of a file, so only the states that use the file keep it. */
  readonly #byGroup = new WeakMap<EntryGroup, Chunks>();
  #groups: readonly CountedGroup[] = [];
  bytes = OVERHEAD;

  constructor(layouts: readonly object[], revision: number, onGrowth: () => void) {
    this.revision = revision;
    this.#layouts = layouts;
    this.#onGrowth = onGrowth;
  }

  isOf(layouts: readonly object[]): boolean {
    return layouts.every((layout, i) => layout === this.#layouts[i]);
  }

  on(group: EntryGroup): Chunks {
    const chunks = this.#byGroup.get(group) ?? [];
    this.#byGroup.set(group, chunks);
    return chunks;
  }

  of(group: EntryGroup, chunks: Chunks, entry: Entry, decide: Decide): boolean {
    const { number } = entry;
    const chunk = chunks[number >>> CHUNK_BITS] ?? this.#grow(group, chunks, number >>> CHUNK_BITS);
    const at = number & (CHUNK - 1);
    const known = chunk[at];
    if (known !== 0) return known === ALLOWED;
    const isAllowed = decide(entry);
    chunk[at] = isAllowed ? ALLOWED : REFUSED;
    return isAllowed;
  }

  #grow(group: EntryGroup, chunks: Chunks, at: number): Uint8Array {
    const chunk = new Uint8Array(CHUNK);
    chunks[at] = chunk;
    const others = this.#groups.filter((one) => ![undefined, group].includes(one.group.deref()));
    const own = this.#groups.find((one) => one.group.deref() === group) ?? { group: new WeakRef(group), chunks: 0 };
    this.#groups = [...others, { ...own, chunks: own.chunks + 1 }];
    this.bytes = OVERHEAD + CHUNK * this.#groups.reduce((sum, one) => sum + one.chunks, 0);
    this.#onGrowth();
    return chunk;
  }
}
