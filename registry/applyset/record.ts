import { createHash } from 'node:crypto';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { type Key, keyOf, partsOf } from '../../storage/key.js';
import { decodeObject } from '../../storage/state/codec.js';
import type { Tuple } from '../../storage/state/tuple.js';
import type { Reference } from '../kinds/kind.js';
import { REFERENCE_INDEX, referenceTuple } from '../kinds/registry.js';
import type { Entry, Reader } from '../read/reader.js';
import type { LeafDigests } from './leaves.js';
import type { ApplySetKinds } from './names.js';

/** The record of a member of a set. */
export interface AppliedMember {
  /** The revision of the member after the last apply. */
  readonly revision: number;
  /**
   * A digest of what was applied, and how. Equal digests give equal results on the same revision. Absent: it must be
   * applied again.
   */
  readonly digest?: string;
  /** The fields that the set applied, with digests of their values. */
  readonly leaves: LeafDigests;
  /** How the member differs from what was applied. Absent if it does not. */
  readonly drift?: string;
  /** Since when it differs. Servers of earlier versions did not note it. */
  readonly since?: string;
}

/**
 * What is remembered of some members of a set. The members are divided by their keys: so few records are written for
 * many members, and a write to one member reads few others.
 */
export interface AppliedSpec {
  /** metadata.name of the set, which is in the namespace of this object. */
  readonly set: string;
  readonly members: AppliedMembers;
}

/** By the keys of the members. */
export type AppliedMembers = Readonly<Record<Key, AppliedMember>>;

/** Records by member: `[resource, namespace, name]`. */
export const BY_MEMBER = 'byMember';
/** Records with members that differ, by set: `[namespace, set]`. */
export const BY_DRIFT = 'byDrift';

export const APPLIED_INDEXERS: Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>> = {
  [BY_MEMBER]: (record) => membersOf(specOf(record)).map(([key]) => memberTuple(key)),
  [BY_DRIFT]: (record) => {
    const isDrifted = membersOf(specOf(record)).some(([, { drift }]) => drift !== undefined);
    return isDrifted ? [[record.metadata.namespace ?? '', specOf(record).set]] : [];
  },
};

export function memberTuple(member: Key): Tuple {
  const { resource, namespace, name } = partsOf(member);
  return [resource, namespace, name];
}

export function membersOf({ members }: AppliedSpec): readonly (readonly [Key, AppliedMember])[] {
  return Object.entries(members) as [Key, AppliedMember][];
}

/** A record is removed together with its set. */
export function setOf(object: KubeObject, resource: string): readonly Reference[] {
  return [{ resource, namespace: object.metadata.namespace ?? '', name: specOf(object).set, field: 'spec.set' }];
}

export interface SetRef {
  readonly namespace: string;
  readonly name: string;
}

export function specOf({ spec }: { readonly spec?: unknown }): AppliedSpec {
  return spec as AppliedSpec;
}

/** A record is read once, so it is not worth remembering. */
export function recordOf({ value }: Entry): AppliedSpec {
  return specOf(decodeObject(value) as KubeObject);
}

/** The records of a set. */
export function recordsOf(
  { sets, records }: ApplySetKinds,
  reader: Reader,
  { namespace, name }: SetRef,
): readonly Entry[] {
  const tuple = referenceTuple({ resource: sets.qualified, namespace, name });
  return reader.entries(records.qualified, REFERENCE_INDEX, tuple);
}

/** How many records a set has at most: some 40 members of the largest set share one. */
const RECORDS = 256;

/** The key of the record that has a member. */
export function recordKey({ records }: ApplySetKinds, set: SetRef, member: Key): Key {
  const [number = 0] = createHash('sha256').update(member).digest();
  return keyOf(records.qualified, set.namespace, `${set.name}.${number % RECORDS}`);
}

/** The object to store. Only the registry writes these objects, together with the writes that they are about. */
export function recordObject({ records }: ApplySetKinds, key: Key, now: string, spec: AppliedSpec) {
  const { namespace, name } = partsOf(key);
  const metadata = { name, namespace, creationTimestamp: now };
  return { apiVersion: records.apiVersion, kind: records.kind, metadata, spec };
}
