import type { Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { jsonSteps, PLAIN } from '../json/json-steps.js';
import { sameSteps } from '../json/same.js';
import { tooLarge } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { insert, remove, replace } from './place.js';
import {
  type Container,
  isWithin,
  type Pointer,
  parentFor,
  resolved,
  Unfit,
  valueAt,
  valueOrAbsent,
} from './pointer.js';

export type Operation =
  | { readonly op: 'add'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'replace'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'test'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move'; readonly path: Pointer; readonly from: Pointer }
  | { readonly op: 'copy'; readonly path: Pointer; readonly from: Pointer };

const MAX_DEPTH = 100;
/**
 * Limits the bytes that the copies of a patch add, as in Kubernetes: thirty copies could turn one byte into a gigabyte.
 */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;
/**
 * Limits the elements that insertions and removals shift, and the members that tests compare, to some tens of
 * milliseconds.
 */
const MAX_WORK = 20_000_000;

/**
 * Applies a patch in steps, and leaves the document as it is: a container is copied before its first change. By hand
 * because the libraries follow inherited members (`/toString/call`), or cannot change a member called `constructor`.
 *
 * Where Kubernetes' library (evanphx/json-patch v4) does more than RFC 6902, this does the same, because clients rely
 * on it. An absent member is null for `test`, `replace` and `copy`, and an index may count from the end.
 */
export class Application {
  /** The document is a member of the root, so that the path '' has a parent. */
  readonly #root: { document?: unknown };
  readonly #pauses = new Work();
  /** The containers that are in one place of the patched document, and nowhere else. */
  readonly #own = new WeakSet<object>();
  #copied = 0;
  #work = 0;

  constructor(document: unknown) {
    this.#root = { document };
  }

  /** Throws Unfit. After an error, this object must not be used again. */
  *apply(operation: Operation): Steps<void> {
    if (operation.op === 'test') yield* this.#test(operation.path, operation.value);
    else if (operation.op === 'add') yield* this.#insert(operation.path, operation.value);
    else if (operation.op === 'replace') yield* this.#replace(operation.path, operation.value);
    else if (operation.op === 'remove') yield* this.#remove(operation.path);
    else if (operation.op === 'copy') yield* this.#copy(operation.from, operation.path);
    else yield* this.#move(operation.from, operation.path);
  }

  /** The patched document, or undefined if it was removed. Throws 413 if it is nested too deep. */
  *result(): Steps<unknown> {
    yield* this.#refuseDeep(this.#root.document);
    return this.#root.document;
  }

  *#test(path: Pointer, value: unknown): Steps<void> {
    const current = valueOrAbsent(this.#root, this.#tokens(path)) ?? null;
    if (!(yield* sameSteps(current, value, this))) throw new Unfit('the value differs');
  }

  *#replace(path: Pointer, value: unknown): Steps<void> {
    const tokens = this.#tokens(path);
    valueOrAbsent(this.#root, tokens);
    replace(yield* this.#parent(tokens), tokens, value);
  }

  *#remove(path: Pointer): Steps<void> {
    const tokens = this.#tokens(path);
    valueAt(this.#root, tokens);
    const parent = yield* this.#parent(tokens);
    this.#spendOn(parent);
    remove(parent, tokens);
  }

  *#copy(from: Pointer, path: Pointer): Steps<void> {
    const source = this.#tokens(from);
    const value = valueOrAbsent(this.#root, source) ?? null;
    yield* this.#refuseDeep(value);
    this.#copied += Buffer.byteLength(yield* jsonSteps(value, PLAIN));
    if (this.#copied > MAX_COPIED_BYTES) throw tooLarge(MAX_COPIED_BYTES);
    yield* this.#share(value);
    yield* this.#insert(path, value);
  }

  /** From now on, the containers of a value are in two places. Those around it stay in one. */
  *#share(value: unknown): Steps<void> {
    if (typeof value !== 'object' || value === null) return;
    this.#own.delete(value);
    for (const member of Object.values(value)) {
      if (this.count()) yield;
      yield* this.#share(member);
    }
  }

  *#move(from: Pointer, path: Pointer): Steps<void> {
    if (isWithin(path, from)) throw new Unfit('a value cannot be moved into itself');
    const value = valueAt(this.#root, this.#tokens(from));
    yield* this.#remove(from);
    yield* this.#insert(path, value);
  }

  #tokens({ tokens }: Pointer): readonly string[] {
    return resolved(this.#root, ['document', ...tokens]);
  }

  *#insert({ tokens }: Pointer, value: unknown): Steps<void> {
    const target = resolved(this.#root, ['document', ...tokens], true);
    const parent = yield* this.#parent(target);
    this.#spendOn(parent);
    insert(parent, target, value);
  }

  /** The container of the value at a path, for a change. */
  *#parent(tokens: readonly string[]): Steps<Container> {
    parentFor(this.#root, tokens);
    let container: Container = this.#root as Record<string, unknown>;
    for (const token of tokens.slice(0, -1)) {
      const inner = valueAt(container, [token]) as Container;
      const own = this.#own.has(inner) ? inner : yield* this.#copyOf(inner);
      replace(container, [token], own);
      container = own;
    }
    return container;
  }

  *#copyOf(container: Container): Steps<Container> {
    this.#spendOn(container);
    const copy = Array.isArray(container) ? [...container] : yield* this.#membersOf(container);
    this.#own.add(copy);
    return copy;
  }

  *#membersOf(container: Record<string, unknown>): Steps<Record<string, unknown>> {
    const copy: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(container)) {
      copy[name] = value;
      if (this.count()) yield;
    }
    return copy;
  }

  #spendOn(container: unknown): void {
    if (Array.isArray(container)) this.#spend(container.length);
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work > MAX_WORK) throw tooCostly('moves or compares too much');
  }

  /** Counts the comparison of a member. Whether it is time to pause. */
  count(): boolean {
    this.#spend(1);
    return this.#pauses.count();
  }

  *#refuseDeep(value: unknown): Steps<void> {
    if (yield* isDeeperThan(value, MAX_DEPTH, this.#pauses))
      throw tooCostly(`nests the object deeper than ${MAX_DEPTH} levels`);
  }
}

/** Looks only as deep as `levels`, so it is safe for any value. */
function* isDeeperThan(value: unknown, levels: number, pauses: Work): Steps<boolean> {
  if (typeof value !== 'object' || value === null) return false;
  if (levels <= 0) return true;
  for (const member of Object.values(value)) {
    if (pauses.count()) yield;
    if (typeof member === 'object' && (yield* isDeeperThan(member, levels - 1, pauses))) return true;
  }
  return false;
}

function tooCostly(detail: string): ApiError {
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message: `the JSON patch ${detail}` });
}
