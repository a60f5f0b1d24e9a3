import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import { type Key, type KindWord, liesInFolder, partsOf } from './resources.js';

/** What is known of an object there: what was sent, and what was answered. */
export interface Sent {
  /** The folder that it lies in there. Empty: at the root. */
  readonly folder: string;
  /** Of what was sent. Empty: it has to be sent again. */
  readonly hash: string;
  readonly version?: number | undefined;
  /** The list of its permissions there. Absent: those that a new object has. */
  readonly access?: string | undefined;
  /** A change was begun, and what came of it is not known. It is read there before anything else is sent. */
  readonly isUnknown?: true | undefined;
  /** The other server could not close the folder, so nothing may lie in it. */
  readonly isShut?: true | undefined;
  /** Others have made it. It is not deleted there because it is gone here. */
  readonly isAdopted?: true | undefined;
  /** Of a team: its number there. */
  readonly id?: number | undefined;
  /** Of preferences: the hash of what the other server answered after they were sent. */
  readonly answered?: string | undefined;
}

export type Part = Readonly<Record<string, Sent>>;

/** A part as it is to be stored, with what was left there of it. */
export interface ChangedPart {
  readonly part: string;
  readonly objects: Part;
  readonly left: readonly Key[];
}

const PARTS = 256;
/** A folder that is not known. */
const ANYWHERE = '*';

/** Objects are remembered together in parts, so that a change of one object writes only a few others. */
export function partOf(key: Key): string {
  let hash = 0;
  for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
  return (hash & (PARTS - 1)).toString(16).padStart(2, '0');
}

export function hashOf(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('base64url').slice(0, 16);
}

/** What has been sent to one other server. It is stored, so that a restart sends nothing again (docs/adr/0065). */
export class Memory {
  readonly #parts = new Map<string, Map<Key, Sent>>();
  readonly #inFolder = new Map<string, Set<Key>>();
  readonly #counts = new Map<KindWord, number>();
  /** What was created, perhaps: no answer came. */
  readonly #intents = new Map<Key, string>();
  /** What was there before this mirror. */
  #theirs: ReadonlySet<Key> = new Set();
  /** What this mirror has created, and has left there because it is not selected any more. */
  readonly #left = new Set<Key>();
  /** What was begun since the parts were stored last. */
  #begun = new Set<Key>();
  #changed = new Set<string>();

  get(key: Key): Sent | undefined {
    return this.#parts.get(partOf(key))?.get(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  *keys(): Generator<Key, void> {
    for (const part of this.#parts.values()) yield* part.keys();
  }

  countOf(kind: KindWord): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** What lies directly in a folder there. */
  in(folder: string): readonly Key[] {
    return [...(this.#inFolder.get(folder) ?? [])];
  }

  set(key: Key, sent: Sent): void {
    this.#put(key, sent);
    this.#changed.add(partOf(key));
  }

  /** Something was begun, and what comes of it is not known yet. Returns whether that was not known before. */
  begin(key: Key, folder = ANYWHERE): boolean {
    const isNew = !this.#begun.has(key);
    this.#begun.add(key);
    const sent = this.get(key);
    if (sent === undefined) {
      if (!this.#theirs.has(key)) this.#intents.set(key, folder);
    } else if (sent.isUnknown !== true) this.set(key, { ...sent, isUnknown: true });
    return isNew;
  }

  /** How many objects were sent. */
  get size(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether this mirror has perhaps created it, and its answer did not come. */
  mayHaveMade(key: Key): boolean {
    return this.#intents.has(key);
  }

  /** Whether it is this mirror's, although it is not remembered as sent: it was left there, or perhaps created. */
  isOwn(key: Key): boolean {
    return this.has(key) || this.mayHaveMade(key) || this.#left.has(key);
  }

  /** It stays there, and is sent no more. If it is selected again, it is known that this mirror has created it. */
  abandon(key: Key): void {
    const isCreated = this.isCreated(key);
    this.delete(key);
    if (!isCreated) return;
    this.#left.add(key);
    this.#changed.add(partOf(key));
  }

  get left(): Iterable<Key> {
    return this.#left;
  }

  /** It is not there any more. */
  forgetLeft(key: Key): void {
    if (this.#left.delete(key)) this.#changed.add(partOf(key));
  }

  /** Whether this mirror has created it there, perhaps, and did not adopt it. */
  isCreated(key: Key): boolean {
    return (this.has(key) || this.mayHaveMade(key)) && this.get(key)?.isAdopted !== true;
  }

  /** Whether something may lie in a folder there that is not known. */
  mayHold(folder: string): boolean {
    return [...this.#intents].some(([key, one]) => liesInFolder(key) && (one === folder || one === ANYWHERE));
  }

  /** What others have made there. */
  leave(theirs: ReadonlySet<Key>): void {
    this.#theirs = theirs;
  }

  /** It is certainly not there, or others have made it. */
  disown(key: Key): void {
    this.#intents.delete(key);
  }

  /** Everything is read again before anything is sent. */
  doubt(keys: Iterable<Key> = this.keys()): void {
    for (const key of [...keys]) {
      const sent = this.get(key);
      if (sent !== undefined) this.set(key, { ...sent, isUnknown: true });
    }
  }

  /** What is not confirmed, as it is to be stored. */
  get begun(): readonly Key[] {
    return [...new Set([...this.#begun, ...this.#intents.keys()])];
  }

  /** What is begun could not be stored. */
  beginAgain(): void {
    this.#begun = new Set();
  }

  /** What was not confirmed when the record was stored, after all parts. */
  loadBegun(keys: readonly Key[]): void {
    for (const key of keys) this.begin(key);
  }

  delete(key: Key): void {
    this.#intents.delete(key);
    const old = this.get(key);
    if (old === undefined) return;
    this.#remove(key, old);
    this.#changed.add(partOf(key));
  }

  /** Takes what is stored of a part. */
  load(part: Part, left: readonly string[] = []): void {
    for (const [key, sent] of Object.entries(part)) this.#put(key as Key, sent);
    for (const key of left) this.#left.add(key as Key);
  }

  /** The parts that have changed since the last call, as they are to be stored. */
  takeChanged(): readonly ChangedPart[] {
    const changed = this.#changed;
    this.#changed = new Set();
    this.#begun = new Set();
    const left = new Map<string, Key[]>();
    if (changed.size > 0) for (const key of this.#left) added(left, partOf(key), (): Key[] => []).push(key);
    return [...changed].map((part) => ({
      part,
      objects: Object.fromEntries(this.#parts.get(part) ?? []),
      left: left.get(part) ?? [],
    }));
  }

  /** The parts could not be stored. */
  putBack(parts: readonly { readonly part: string }[]): void {
    for (const { part } of parts) this.#changed.add(part);
  }

  #put(key: Key, sent: Sent): void {
    const old = this.get(key);
    this.#intents.delete(key);
    this.#left.delete(key);
    if (old !== undefined) this.#remove(key, old);
    added(this.#parts, partOf(key), () => new Map<Key, Sent>()).set(key, sent);
    added(this.#inFolder, sent.folder, () => new Set<Key>()).add(key);
    const { kind } = partsOf(key);
    this.#counts.set(kind, this.countOf(kind) + 1);
  }

  #remove(key: Key, { folder }: Sent): void {
    this.#parts.get(partOf(key))?.delete(key);
    const beside = this.#inFolder.get(folder);
    beside?.delete(key);
    if (beside?.size === 0) this.#inFolder.delete(folder);
    const { kind } = partsOf(key);
    this.#counts.set(kind, this.countOf(kind) - 1);
  }
}

function added<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
