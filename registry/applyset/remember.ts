import type { KubeObject } from '../../pkg/meta/types.js';
import { invalid } from '../../pkg/status/errors.js';
import { type Key, keyOf, partsOf, resourceOf } from '../../storage/key.js';
import { kindOf } from '../registry.js';
import type { Caller, WriteScope } from '../write/write.js';
import { driftOf, putStatus } from './drift.js';
import { leavesOf } from './leaves.js';
import { MOST_OBJECTS } from './messages.js';
import type { ApplySetKinds } from './names.js';
import { type AppliedSpec, recordObject } from './record.js';
import { applySetOf } from './set.js';
import type { ApplySetStatus } from './status.js';
import type { ApplySetRequest, Wanted } from './wanted.js';

interface Remembered {
  readonly wanted: Wanted;
  readonly recordKey: Key;
  readonly record: AppliedSpec | undefined;
  readonly after?: { readonly object: KubeObject; readonly revision: number };
}

interface Outcome {
  readonly request: ApplySetRequest;
  readonly caller: Caller;
  readonly items: readonly Remembered[];
  readonly records: ReadonlyMap<Key, AppliedSpec>;
  /** The keys of the records of members that are members no longer. */
  readonly forgotten: ReadonlySet<Key>;
  readonly isChanged: boolean;
}

/** Remembers what was applied, and says so in the status of the set. If nothing differs, nothing is written. */
export function* remember(
  scope: WriteScope,
  kinds: ApplySetKinds,
  outcome: Outcome,
): Generator<undefined, void, undefined> {
  const members = new Map(outcome.records);
  for (const key of outcome.forgotten) {
    members.delete(key);
    scope.state.delete(key);
    yield;
  }
  let isChanged = outcome.isChanged || outcome.forgotten.size > 0;
  for (const item of outcome.items) {
    const spec = rememberOne(scope, kinds, outcome.request, item);
    if (spec === undefined) continue;
    isChanged ||= item.record === undefined || item.record.drift !== undefined;
    members.set(item.recordKey, spec);
    yield;
  }
  if (members.size > MOST_OBJECTS) throw tooMany(kinds, outcome.request);
  const set = applySetOf(scope, kinds, outcome.request);
  if (!isChanged && set.status !== undefined) return;
  const { request, caller } = outcome;
  const lastApplied = { by: caller.user.name, fieldManager: request.fieldManager, time: scope.now };
  const drifted = [...members.values()].filter(({ drift }) => drift !== undefined).length;
  const status = { members: members.size, drifted, inventory: inventoryOf(scope, members.values()), lastApplied };
  putStatus(scope, kinds, keyOf(kinds.sets.qualified, request.namespace, request.name), set, status);
}

/** Returns what is remembered now. `undefined` if it is as before. */
function rememberOne(
  scope: WriteScope,
  kinds: ApplySetKinds,
  request: ApplySetRequest,
  { wanted, recordKey, record, after }: Remembered,
): AppliedSpec | undefined {
  if (after === undefined) return undefined;
  const { kind, namespace, name, digest } = wanted;
  const { object, revision } = after;
  // Kinds with such hooks take more from a configuration than they store, so equal configurations may have other results.
  const isRepeatable = kind.strategy?.alsoWrite === undefined;
  const leaves = leavesOf(wanted.configuration().object, object);
  const found = scope.reader.entry(kind.qualified, namespace, name);
  const spec: AppliedSpec = {
    set: request.name,
    resource: kind.qualified,
    namespace,
    name,
    // Another object of the request may have changed this one, too.
    revision: found?.revision ?? revision,
    ...(isRepeatable && found?.revision === revision && { digest }),
    leaves,
  };
  const drift = found?.revision === revision ? undefined : driftOf(spec, found);
  const next = drift === undefined ? spec : { ...spec, drift };
  if (record !== undefined && JSON.stringify(record) === JSON.stringify(next)) return undefined;
  scope.state.put(recordKey, recordObject(kinds, recordKey, request.namespace, scope.now, next));
  return next;
}

function inventoryOf({ registry }: WriteScope, members: Iterable<AppliedSpec>): ApplySetStatus['inventory'] {
  const counts = new Map<string, number>();
  for (const { resource, namespace } of members) {
    const key = keyOf(resource, namespace, '');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, count]) => {
      const kind = kindOf(registry, resourceOf(key as Key));
      const { namespace } = partsOf(key as Key);
      return kind ? [{ group: kind.group, kind: kind.kind, ...(namespace !== '' && { namespace }), count }] : [];
    });
}

function tooMany({ sets }: ApplySetKinds, { name }: ApplySetRequest): Error {
  const message = `Too many: the set would have more than ${MOST_OBJECTS} members. Prune it, or use several sets`;
  return invalid(sets, name, [{ reason: 'FieldValueTooMany', message, field: 'spec.objects' }]);
}
