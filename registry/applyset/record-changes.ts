import { type Key, partsOf } from '../../storage/key.js';
import type { Transaction } from '../write/transaction.js';
import type { ApplySetKinds } from './names.js';
import { type AppliedMember, type AppliedMembers, type AppliedSpec, recordObject, recordOf } from './record.js';

/** A record that the transaction has read or will write. */
interface OpenRecord {
  readonly set: string;
  readonly members: { -readonly [Member in keyof AppliedMembers]: AppliedMembers[Member] };
  isChanged: boolean;
}

/**
 * What a transaction changes in the records. Each record is read and written once, however many of its members change.
 */
export class RecordChanges {
  readonly #transaction: Transaction;
  readonly #kinds: ApplySetKinds;
  readonly #records = new Map<Key, OpenRecord>();

  constructor(transaction: Transaction, kinds: ApplySetKinds) {
    this.#transaction = transaction;
    this.#kinds = kinds;
  }

  /** The time of the transaction. */
  get now(): string {
    return this.#transaction.now;
  }

  /** The record with the changes so far. `undefined` if there is none. */
  record(key: Key): AppliedSpec | undefined {
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    const { resource, namespace, name } = partsOf(key);
    const entry = this.#transaction.reader.entry(resource, namespace, name);
    if (entry === undefined) return undefined;
    const record = { ...recordOf(entry), isChanged: false };
    this.#records.set(key, record);
    return record;
  }

  /** Changes what the record `key` of a set has about a member. `undefined`: the object is no longer a member. */
  change(key: Key, set: string, member: Key, next: AppliedMember | undefined): void {
    if (this.record(key) === undefined) this.#records.set(key, { set, members: {}, isChanged: true });
    const record = this.#records.get(key) as OpenRecord;
    record.isChanged = true;
    if (next === undefined) delete record.members[member];
    else record.members[member] = next;
  }

  /** Writes the records that changed. One without members is deleted. Yields after each. */
  *write(): Generator<undefined, void, undefined> {
    const { state, now, reader } = this.#transaction;
    for (const [key, { set, members, isChanged }] of this.#records) {
      if (!isChanged) continue;
      const { resource, namespace, name } = partsOf(key);
      if (Object.keys(members).length > 0) state.put(key, recordObject(this.#kinds, key, now, { set, members }));
      else if (reader.entry(resource, namespace, name) !== undefined) state.delete(key);
      yield;
    }
  }
}
