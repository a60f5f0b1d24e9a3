import { get } from '../../lib/api.js';
import { listed, objectPath, ownResource, type Resource } from '../../lib/discovery.js';
import type { KubeObject } from '../../lib/object.js';

export interface SetSpec {
  readonly description?: string;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

interface SetStatus {
  readonly members: number;
  readonly drifted: number;
  readonly lastApplied?: { readonly by: string; readonly fieldManager: string; readonly time: string };
  readonly conditions: readonly Condition[];
}

export type ApplySet = KubeObject<SetSpec>;

/** The status of a set. A set that was never applied has no members. */
export function statusOf({ status }: ApplySet): SetStatus {
  return { members: 0, drifted: 0, conditions: [], ...(status as Partial<SetStatus> | undefined) };
}

/** Since when members differ. Undefined if none does. */
export function driftedSince(set: ApplySet): string | undefined {
  const drifted = statusOf(set).conditions.find(({ type, status }) => type === 'Drifted' && status === 'True');
  return drifted?.lastTransitionTime;
}

export function setsResource(): Resource | undefined {
  return ownResource('apply', 'applysets');
}

export interface Member {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The fields that are no longer as they were applied. */
  readonly drift?: string;
  readonly since?: string;
}

export async function membersOf(
  resource: Resource,
  namespace: string,
  name: string,
  signal?: AbortSignal,
): Promise<readonly Member[]> {
  const path = `${objectPath(resource, namespace, name)}/members`;
  const { members } = await get<{ readonly members: readonly Member[] }>(path, {}, signal);
  return members;
}

/** The kind of a member, to link to it. */
export function resourceIn({ group, kind }: Pick<Member, 'group' | 'kind'>): Resource | undefined {
  return listed.value.find((one) => one.group === group && one.kind === kind);
}
