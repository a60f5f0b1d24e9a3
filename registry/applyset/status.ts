import { z } from 'zod';
import { arrayOf } from '../../pkg/kube/meta/bounded.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { type Key, partsOf } from '../../storage/key.js';
import type { Reader } from '../read/reader.js';
import { MOST_OBJECTS } from './messages.js';
import type { ApplySetKinds } from './names.js';
import { BY_DRIFT, membersOf, recordOf, type SetRef } from './record.js';

const Condition = z
  .strictObject({
    type: z.enum(['Synced', 'Drifted']).describe('Synced: all members are as they were applied. Drifted: the reverse.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether the condition holds.'),
    reason: z.string().describe('One word for programs.'),
    message: z.string().describe('The reason for people. It names the first members that differ, and their fields.'),
    lastTransitionTime: z.string().describe('When status changed.'),
  })
  .meta({ id: 'ApplySetCondition', description: 'A condition of the set.' });

const Inventory = z
  .strictObject({
    group: z.string().describe('The API group of the members.'),
    kind: z.string().describe('Their kind.'),
    namespace: z.string().optional().describe('Their namespace. Absent for kinds of cluster scope.'),
    count: z.int().describe('How many there are.'),
  })
  .meta({ id: 'ApplySetInventory', description: 'Members of one kind in one namespace.' });

const LastApplied = z
  .strictObject({
    by: z.string().describe('The caller.'),
    fieldManager: z.string().describe('The field manager of the members.'),
    time: z.string().describe('When that was.'),
  })
  .meta({ id: 'ApplySetLastApplied', description: 'The last apply that changed something.' });

export const ApplySetStatus = z
  .strictObject({
    members: z.int().describe('How many members the set has.'),
    drifted: z.int().describe('How many of them are no longer as they were applied.'),
    inventory: arrayOf(Inventory, MOST_OBJECTS).describe(
      'The members by kind and namespace. The subresource members lists them.',
    ),
    lastApplied: LastApplied.optional().describe('The last apply that changed something.'),
    conditions: arrayOf(Condition, 10).describe('Synced and Drifted.'),
  })
  .meta({ id: 'ApplySetStatus' });

export type ApplySetStatus = z.infer<typeof ApplySetStatus>;
type Condition = z.infer<typeof Condition>;

/** The members that a message names. */
const NAMED = 10;
const LONGEST_MESSAGE = 2048;

/** The conditions that follow from what differs at a state. */
export function conditionsOf(
  kinds: ApplySetKinds,
  reader: Reader,
  set: SetRef,
  {
    drifted,
    now,
    old,
  }: { readonly drifted: number; readonly now: string; readonly old: readonly Condition[] | undefined },
): Condition[] {
  const isDrifted = drifted > 0;
  const message = isDrifted ? driftMessage(kinds, reader, set, drifted) : 'all members are as they were applied';
  const condition = (type: Condition['type'], holds: boolean): Condition => {
    const status = holds ? 'True' : 'False';
    const before = old?.find((one) => one.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
    return { type, status, reason: isDrifted ? 'MembersDiffer' : 'AsApplied', message, lastTransitionTime };
  };
  return [condition('Synced', !isDrifted), condition('Drifted', isDrifted)];
}

function driftMessage({ records }: ApplySetKinds, reader: Reader, set: SetRef, drifted: number): string {
  const entries = reader.entries(records.qualified, BY_DRIFT, [set.namespace, set.name], NAMED);
  const all = entries.flatMap((entry) => membersOf(recordOf(entry)));
  const first = all.flatMap(([key, { drift }]) => (drift === undefined ? [] : [textOf(key, drift)])).slice(0, NAMED);
  const more = drifted > first.length ? `; and ${drifted - first.length} more` : '';
  return `${first.join('; ').slice(0, LONGEST_MESSAGE)}${more}`;
}

function textOf(member: Key, drift: string): string {
  const { resource, namespace, name } = partsOf(member);
  return `${resource} ${namespace === '' ? name : `${namespace}/${name}`}: ${drift}`;
}

export function statusOf({ status }: KubeObject): ApplySetStatus | undefined {
  return status as ApplySetStatus | undefined;
}
