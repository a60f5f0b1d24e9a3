import { SERVER_NAME } from '../../pkg/identity/authn/user.js';
import { tooManyRequests } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { keyOf, resourceOf } from '../../storage/key.js';
import type { AppliedWrite } from '../../storage/state/applied-write.js';
import { isMaster } from '../kinds/authorizer.js';
import { finalizersOf } from '../kinds/propagation.js';
import { kindOf, type Registry } from '../kinds/registry.js';
import type { WriteLimits } from '../kinds/write-limits.js';
import { objectOf } from '../read/reader.js';
import type { Transaction } from './transaction.js';
import type { Caller } from './write.js';

/** What a change takes in the log and in the indexes beside its bytes. */
const OVERHEAD = 200;

/**
 * About how many bytes the store writes for a change: the new object and its copy in the log, and in the log the object
 * that it replaces.
 */
export function writtenBytes({ key, entry, previous }: AppliedWrite): number {
  return 2 * ((entry?.size ?? 0) + key.length) + (previous?.size ?? 0) + OVERHEAD;
}

/** How many bytes the objects take more than before. Negative: less. */
export function growthOf({ entry, previous }: AppliedWrite): number {
  return (entry?.size ?? 0) - (previous?.size ?? 0);
}

/** What one request writes, as its caller is charged for it. */
export class Charge {
  readonly #limits: WriteLimits;
  /** Absent for an administrator, who may write as many bytes as the disk has room for. */
  readonly #flow: string | undefined;
  #taken = 0;

  constructor(limits: WriteLimits, user: Caller['user']) {
    const { uid, name } = user;
    this.#limits = limits;
    this.#flow = isMaster(user) ? undefined : uid === '' ? `name:${name}` : uid;
  }

  /**
   * Call this at the end of the transaction, when it is known what it writes, and before the commit. Throws 507 if the
   * disk has no room for it, and 429 if the caller has written too much. A deletion is never refused.
   */
  take(transaction: Transaction): void {
    const applied = transaction.state.written();
    if (applied.length === 0) return;
    const { budget, disk } = this.#limits;
    const flow = this.#flow;
    const isOnly = (isFree: (write: AppliedWrite) => boolean): boolean => isOnlyDeletion(transaction, applied, isFree);
    const shortage = flow === undefined ? disk?.shortageForAll() : disk?.shortage();
    if (shortage !== undefined && !isOfServer(transaction.registry, applied) && !isOnly(isRelease))
      throw this.#noRoom(shortage);
    let bytes = 0;
    for (const item of applied) bytes += writtenBytes(item);
    const wait = flow === undefined ? 0 : (budget?.take(flow, bytes) ?? 0);
    // To remove finalizers one by one, with a large object, writes as much as any update.
    if (wait > 0 && !isOnly(isRemoval)) throw this.#tooMuch(wait);
    if (wait === 0) this.#taken = bytes;
    disk?.wrote(bytes);
  }

  /** Call this before the transaction runs again, and when nothing of it was written. */
  giveBack(): void {
    if (this.#taken > 0 && this.#flow !== undefined) this.#limits.budget?.give(this.#flow, this.#taken);
    this.#taken = 0;
  }

  #noRoom(shortage: string): ApiError {
    this.#limits.onRefused?.('disk-reserve');
    const forAll = this.#limits.disk?.shortageForAll();
    const others = forAll === undefined ? ', and writes of administrators of the server' : '';
    const message = `there is not enough free space for this write: ${forAll ?? shortage}. Deletions are possible${others}`;
    // It is logged once when it begins. A line for each refusal would take what is left of the disk.
    return new ApiError({ code: 507, reason: 'InsufficientStorage', message, isLogged: true });
  }

  #tooMuch(seconds: number): ApiError {
    this.#limits.onRefused?.('written-bytes');
    const message = `You have written too many bytes in a short time (limits.write_burst and limits.write_rate of the server). Please try again in ${seconds} s.`;
    return tooManyRequests(seconds, message);
  }
}

/**
 * The charge of a caller. The server itself has none. For its administrators, only the disk counts: an import must not
 * be held up, and somebody must be able to make room.
 */
export function chargeOf({ limits }: Pick<Registry, 'limits'>, { user, isTrusted }: Caller): Charge | undefined {
  return limits === undefined || isTrusted === true || isServer(user) ? undefined : new Charge(limits, user);
}

/** What the server needs to start, and to let people sign in, must not fail because others have filled the disk. */
function isServer(user: Caller['user']): boolean {
  return user.name === SERVER_NAME && isMaster(user);
}

/**
 * Whether the request asked for nothing but deletions, and writes that `isFree` takes for a part of one. What it asked
 * for in vain does not count, nor what follows from it, such as the status of an apply set.
 */
function isOnlyDeletion(
  { changes = [] }: Transaction,
  applied: readonly AppliedWrite[],
  isFree: (write: AppliedWrite) => boolean,
): boolean {
  const last = new Map(applied.map((write) => [write.key, write]));
  const writes = changes.flatMap(({ verb, kind, namespace, metadata }) => {
    const write = last.get(keyOf(kind.qualified, namespace, metadata.name));
    return write === undefined ? [] : [verb === 'delete' || isFree(write)];
  });
  return writes.length > 0 && writes.every(Boolean);
}

function isRemoval({ entry }: AppliedWrite): boolean {
  return entry === undefined;
}

/** What a write adds to the metadata of an object: who made it, and when. */
const NOTES = 1024;

/** Whether a write removes an object, or only a finalizer of one that is deleted. */
function isRelease({ entry, previous }: AppliedWrite): boolean {
  if (entry === undefined || previous === undefined) return entry === undefined;
  if (!previous.attributes.isTerminating || entry.size > previous.size + NOTES) return false;
  return finalizersOf(objectOf(entry)).length < finalizersOf(objectOf(previous)).length;
}

/** Whether all objects are of internal kinds, such as a session: they are small, and people must be able to sign in. */
function isOfServer(registry: Registry, applied: readonly AppliedWrite[]): boolean {
  return applied.every(({ key }) => kindOf(registry, resourceOf(key))?.served === false);
}
