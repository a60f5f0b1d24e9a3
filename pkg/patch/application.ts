import { isSameJson } from '../json/same.js';
import { tooLarge } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { insert, remove, replace } from './place.js';
import { isWithin, type Pointer, parentFor, resolved, Unfit, valueAt, valueOrAbsent } from './pointer.js';

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
 * Applies a patch to a private copy. By hand because the libraries follow inherited members (`/toString/call`), or cannot change a member called `constructor`.
 *
 * Where Kubernetes' library (evanphx/json-patch v4) does more than RFC 6902, this does the same, because clients rely on it. An absent member is null
 * for `test`, `replace` and `copy`, and an index may count from the end.
 */
export class Application {
  /** The document is a member of the root, so that the path '' has a parent. */
  readonly #root: { document?: unknown };
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
    const found = valueOrAbsent(this.#root, this.#tokens(path)) ?? null;
    if (!isSameJson(found, value, (work) => this.#spend(work))) throw new Unfit('the value differs');
  }

  #add(path: Pointer, value: unknown): void {
    this.#insert(path, structuredClone(value));
  }

  #replace(path: Pointer, value: unknown): void {
    const tokens = this.#tokens(path);
    valueOrAbsent(this.#root, tokens);
    replace(parentFor(this.#root, tokens), tokens, structuredClone(value));
  }

  #remove(path: Pointer): void {
    const tokens = this.#tokens(path);
    valueAt(this.#root, tokens);
    const parent = parentFor(this.#root, tokens);
    this.#spendOn(parent);
    remove(parent, tokens);
  }

  #copy(from: Pointer, path: Pointer): void {
    const source = this.#tokens(from);
    const value = valueOrAbsent(this.#root, source) ?? null;
    if (isDeeperThan(value, MAX_DEPTH)) throw tooCostly(`nests the object deeper than ${MAX_DEPTH} levels`);
    this.#copied += Buffer.byteLength(JSON.stringify(value));
    if (this.#copied > MAX_COPIED_BYTES) throw tooLarge(MAX_COPIED_BYTES);
    this.#insert(path, structuredClone(value));
  }

  #move(from: Pointer, path: Pointer): void {
    if (isWithin(path, from)) throw new Unfit('a value cannot be moved into itself');
    const value = valueAt(this.#root, this.#tokens(from));
    this.#remove(from);
    this.#insert(path, value);
  }

  #tokens({ tokens }: Pointer): readonly string[] {
    return resolved(this.#root, ['document', ...tokens]);
  }

  #insert({ tokens }: Pointer, value: unknown): void {
    const found = resolved(this.#root, ['document', ...tokens], true);
    const parent = parentFor(this.#root, found);
    this.#spendOn(parent);
    insert(parent, found, value);
  }

  #spendOn(container: unknown): void {
    if (Array.isArray(container)) this.#spend(container.length);
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work > MAX_WORK) throw tooCostly('moves or compares too much');
  }
}

/** Looks only as deep as `levels`, so it is safe for any value. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels <= 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

function tooCostly(why: string): ApiError {
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message: `the JSON patch ${why}` });
}
