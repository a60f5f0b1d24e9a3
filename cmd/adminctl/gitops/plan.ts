import { z } from 'zod';

const Difference = z.object({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() });

const Planned = z.object({
  kind: z.string(),
  namespace: z.string().optional(),
  name: z.string(),
  action: z.enum(['created', 'configured', 'unchanged', 'pruned', 'conflict']),
  diff: z.array(Difference).default([]),
  message: z.string().optional(),
});
export type Planned = z.infer<typeof Planned>;

/** The part of the answer to an atomic apply that is shown. */
export const Applied = z.object({ status: z.object({ plan: z.array(Planned) }) });

/** `adopted`: only the label of the set is new, because an object that was there before becomes a member. */
export type Action = Planned['action'] | 'adopted';

const MEMBERSHIP = 'metadata.labels[applyset.kubernetes.io/part-of]';

export function actionOf({ action, diff }: Planned): Action {
  const [only, ...more] = diff;
  const isAdopted =
    action === 'configured' && more.length === 0 && only?.path === MEMBERSHIP && only.from === undefined;
  return isAdopted ? 'adopted' : action;
}

/** Whether the object is a member of the set already, and stays one. */
export function isMember({ action, diff }: Planned): boolean {
  return action !== 'created' && action !== 'pruned' && !diff.some(({ path }) => path === MEMBERSHIP);
}

export type Counts = Readonly<Record<Action, number>>;

export function countsOf(plan: readonly Planned[]): Counts {
  const counts = { created: 0, configured: 0, adopted: 0, unchanged: 0, pruned: 0, conflict: 0 };
  for (const planned of plan) counts[actionOf(planned)]++;
  return counts;
}

/**
 * Whether the stored objects differ from the manifests. An object that is not in the set yet does not count as a
 * difference.
 */
export function isDrift({ created, configured, pruned, conflict }: Counts): boolean {
  return created + configured + pruned + conflict > 0;
}
