import type { CustomResourceDefinitionCondition } from './schema.js';

/** A condition before it is in a status. */
export interface NewCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export type Conditions = readonly CustomResourceDefinitionCondition[];

export function condition(type: string, status: string, reason: string, message: string): NewCondition {
  return { type, status, reason, message };
}

/**
 * The conditions with `next`, which replaces the one of its type. The time changes only with the status. `now` is in
 * RFC 3339.
 */
export function withCondition(conditions: Conditions | null | undefined, next: NewCondition, now: string): Conditions {
  const all = conditions ?? [];
  const old = all.find(({ type }) => type === next.type);
  if (old === undefined) return [...all, { ...next, lastTransitionTime: now }];
  const isKept = old.status === next.status && old.lastTransitionTime != null;
  const changed = { ...old, ...next, lastTransitionTime: isKept ? old.lastTransitionTime : now };
  return all.map((condition) => (condition === old ? changed : condition));
}

export function withoutCondition(conditions: Conditions | null | undefined, type: string): Conditions {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

/** Whether the conditions say this already. The time is not compared. */
export function says(conditions: Conditions | null | undefined, next: NewCondition): boolean {
  const old = conditions?.find(({ type }) => type === next.type);
  return old?.status === next.status && (old.reason ?? '') === next.reason && (old.message ?? '') === next.message;
}
