import { applyPatch } from 'rfc6902';
import { isSameJson } from '../json/same.js';
import { tooLarge } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { isWithin, type Pointer, parentFor, Unfit, valueAt } from './pointer.js';

export type Operation =
  | { readonly op: 'add'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'replace'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'test'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move'; readonly path: Pointer; readonly from: Pointer }
  | { readonly op: 'copy'; readonly path: Pointer; readonly from: Pointer };

const MAX_DEPTH = 100;
/** Limits the bytes that the copies of a patch add, as in Kubernetes: thirty copies could turn one byte into a gigabyte. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;
/** Limits the elements that insertions and removals shift, and the members that tests compare, to some tens of milliseconds. */
const MAX_WORK = 20_000_000;

/**
 * Applies a patch to a private copy. rfc6902 makes the changes, after each path is checked here, because on its own it follows inherited
 * members (`/toString/call`), accepts `1x` as an index, cannot replace a whole document, resolves the target of a move before it removes
 * the source, and compares arrays in quadratic time.
 */
export class Application {
  /** The document is a member of the root, so that the path '' has a parent. `moving` is the value of a move. */
  readonly #root: { document?: unknown; moving?: unknown };
  #copied = 0;
  #work = 0;

  constructor(document: unknown) {
    this.#root = { document: structuredClone(document) };
  }

  /** Throws Unfit. After an error, this object must not be used again. */
  apply(operation: Operation): void {
    if (operation.op === 'test') this.#test(operation.path, operation.value);
    else if (operation.op === 'add') this.#add(operation.path, operation.value);
    else if (operation.op === 'replace') this.#replace(operation.path, operation.value);
    else if (operation.op === 'remove') this.#remove(operation.path);
    else if (operation.op === 'copy') this.#copy(operation.from, operation.path);
    else this.#move(operation.from, operation.path);
  }

  /** The patched document, or undefined if it was removed. Throws 413 if it is nested too deep. */
  result(): unknown {
    if (isDeeperThan(this.#root.document, MAX_DEPTH))
      throw tooCostly(`nests the object deeper than ${MAX_DEPTH} levels`);
    return this.#root.document;
  }

  #test(path: Pointer, value: unknown): void {
    const found = valueAt(this.#root, tokensOf(path));
    if (!isSameJson(found, value, (work) => this.#spend(work))) throw new Unfit('the value differs');
  }

  #add(path: Pointer, value: unknown): void {
    this.#spendOn(parentFor(this.#root, tokensOf(path)));
    this.#change({ op: 'add', path: inRoot(path), value });
  }

  #replace(path: Pointer, value: unknown): void {
    valueAt(this.#root, tokensOf(path));
    this.#change({ op: 'replace', path: inRoot(path), value });
  }

  #remove(path: Pointer): void {
    valueAt(this.#root, tokensOf(path));
    this.#spendOn(parentFor(this.#root, tokensOf(path)));
    this.#change({ op: 'remove', path: inRoot(path) });
  }

  #copy(from: Pointer, path: Pointer): void {
    const value = valueAt(this.#root, tokensOf(from));
    if (isDeeperThan(value, MAX_DEPTH)) throw tooCostly(`nests the object deeper than ${MAX_DEPTH} levels`);
    this.#copied += Buffer.byteLength(JSON.stringify(value));
    if (this.#copied > MAX_COPIED_BYTES) throw tooLarge(MAX_COPIED_BYTES);
    this.#spendOn(parentFor(this.#root, tokensOf(path)));
    this.#change({ op: 'copy', from: inRoot(from), path: inRoot(path) });
  }

  #move(from: Pointer, path: Pointer): void {
    if (isWithin(path, from)) throw new Unfit('a value cannot be moved into itself');
    this.#root.moving = valueAt(this.#root, tokensOf(from));
    this.#remove(from);
    this.#spendOn(parentFor(this.#root, tokensOf(path)));
    this.#change({ op: 'move', from: '/moving', path: inRoot(path) });
  }

  #change(operation: Parameters<typeof applyPatch>[1][number]): void {
    const [error] = applyPatch(this.#root, [operation]);
    if (error !== null && error !== undefined) throw new Unfit(error.message);
  }

  #spendOn(container: unknown): void {
    if (Array.isArray(container)) this.#spend(container.length);
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work > MAX_WORK) throw tooCostly('moves or compares too much');
  }
}

const tokensOf = ({ tokens }: Pointer): readonly string[] => ['document', ...tokens];
const inRoot = ({ text }: Pointer): string => `/document${text}`;

/** Looks only as deep as `levels`, so it is safe for any value. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels <= 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

function tooCostly(why: string): ApiError {
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message: `the JSON patch ${why}` });
}
