import { createHash } from 'node:crypto';
import type { KubeObject } from '../../pkg/meta/types.js';
import { decodeObject } from '../../storage/codec.js';
import { type Key, keyOf } from '../../storage/key.js';
import type { Tuple } from '../../storage/tuple.js';
import type { Reference } from '../kind.js';
import type { Entry, Reader } from '../reader.js';
import { REFERENCE_INDEX, referenceTuple } from '../registry.js';
import type { Leaves } from './leaves.js';
import type { ApplySetKinds } from './names.js';

/** What is remembered of a member of a set: an internal object for each, so that a write to a member costs the same however large the set is. */
export interface AppliedSpec {
  /** metadata.name of the set, which is in the namespace of this object. */
  readonly set: string;
  /** The member: `<plural>.<group>`, namespace and name. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The revision of the member after the last apply. */
  readonly revision: number;
  /** What was applied, and how. Equal digests have equal results on the same revision. Absent: it must be applied again. */
  readonly digest?: string;
  /** The fields that the set applied, with digests of their values. */
  readonly leaves: Leaves;
  /** How the member differs from what was applied. Absent if it does not. */
  readonly drift?: string;
}

/** Applied objects by member: `[resource, namespace, name]`. */
export const BY_MEMBER = 'byMember';
/** Applied objects that differ, by set: `[namespace, set]`. */
export const BY_DRIFT = 'byDrift';

export const APPLIED_INDEXERS: Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>> = {
  [BY_MEMBER]: (one) => {
    const { resource, namespace, name } = specOf(one);
    return [[resource, namespace, name]];
  },
  [BY_DRIFT]: (one) => (specOf(one).drift === undefined ? [] : [[one.metadata.namespace ?? '', specOf(one).set]]),
};

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

/** The key of the record of a member. */
export function recordKey({ records }: ApplySetKinds, set: SetRef, member: Key): Key {
  const digest = createHash('sha256').update(`${set.name} ${member}`).digest('base64url');
  return keyOf(records.qualified, set.namespace, digest);
}

/** The object to store. Only the registry writes these objects, together with the write that they are about. */
export function recordObject({ records }: ApplySetKinds, key: Key, namespace: string, now: string, spec: AppliedSpec) {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const metadata = { name, namespace, creationTimestamp: now };
  return { apiVersion: records.apiVersion, kind: records.kind, metadata, spec };
}
