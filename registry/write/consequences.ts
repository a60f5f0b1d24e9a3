import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { isWaiting } from '../kinds/ready-condition.js';
import type { ObjectChange, WriteContext } from '../kinds/strategy.js';
import type { Transaction } from './transaction.js';
import type { WriteTarget } from './write.js';

/** A transaction that has so many warnings needs no more. Answers show fewer. */
const MOST_WARNINGS = 100;

/** Notes what a write means for others. What the server adds to a write by itself is part of that. */
export function* noteConsequences(
  transaction: Transaction,
  { kind, form, namespace, caller }: WriteTarget,
  object: KubeObject | undefined,
  old: KubeObject | undefined,
  context: WriteContext,
): Steps<readonly string[]> {
  const { warnings, together } = transaction;
  const { strategy } = form;
  // An object that waits has no consequences before it takes effect.
  if (caller.isTrusted === true || (object !== undefined && isWaiting(object))) return [];
  if (strategy?.consequencesTogether !== undefined && together !== undefined) {
    const key = `${kind.qualified}/${namespace}`;
    const own = together.get(key) ?? { strategy, context, changes: new Map() };
    together.set(key, own);
    remember(own.changes, { object, old });
    return [];
  }
  // Each write is judged by what was before it.
  yield* noteConsequencesTogether(transaction);
  if (warnings.length >= MOST_WARNINGS) return [];
  const steps =
    strategy?.consequencesTogether?.([{ object, old }], context) ?? strategy?.consequences?.(object, old, context);
  const consequences = steps === undefined ? [] : yield* steps;
  warnings.push(...consequences);
  return consequences;
}

/** Notes what the writes together mean that are not noted yet. */
export function* noteConsequencesTogether({ warnings, together }: Transaction): Steps<void> {
  const pending = [...(together?.values() ?? [])];
  together?.clear();
  for (const { strategy, context, changes } of pending) {
    const steps = strategy.consequencesTogether?.([...changes.values()], context);
    if (steps !== undefined && warnings.length < MOST_WARNINGS) warnings.push(...(yield* steps));
  }
}

/** An object that is written several times was before the request what it was before the first one. */
function remember(changes: Map<string, ObjectChange>, { object, old }: ObjectChange): void {
  const name = (object ?? old)?.metadata.name ?? '';
  const known = changes.get(name);
  changes.set(name, { object, old: known === undefined ? old : known.old });
}
