import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import { type Key, type KindWord, partsOf } from './resources.js';

/** What is known of an object there: what was sent, and what was answered. */
export interface Sent {
  /** The folder that it lies in there. Empty: at the root. */
  readonly folder: string;
  /** Of what was sent. Empty: it has to be sent again. */
  readonly hash: string;
  readonly version?: number | undefined;
  /** The list of its permissions there. Absent: those that a new object has. */
  readonly access?: string | undefined;
}

export type Part = Readonly<Record<string, Sent>>;

const PARTS = 256;

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

  delete(key: Key): void {
    const old = this.get(key);
    if (old === undefined) return;
    this.#remove(key, old);
    this.#changed.add(partOf(key));
  }

  /** Takes what is stored of a part. */
  load(part: Part): void {
    for (const [key, sent] of Object.entries(part)) this.#put(key as Key, sent);
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** The parts that have changed since the last call, as they are to be stored. */
  takeChanged(): readonly { readonly part: string; readonly objects: Part }[] {
    const changed = [...this.#changed];
    this.#changed = new Set();
    return changed.map((part) => ({ part, objects: Object.fromEntries(this.#parts.get(part) ?? []) }));
  }

  /** The parts could not be stored. */
  putBack(parts: readonly { readonly part: string }[]): void {
    for (const { part } of parts) this.#changed.add(part);
  }

  #put(key: Key, sent: Sent): void {
    const old = this.get(key);
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
