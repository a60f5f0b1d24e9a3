import type { Comparable } from '../comparable.js';
import type { Step } from './steps.js';

/** A difference that is intended. */
export interface Known {
  readonly name: string;
  /** Where the reason is written down. */
  readonly where: string;
  /** The two answers without this difference, where a request shows it. */
  hide(step: Step, ours: Comparable, theirs: Comparable): readonly [Comparable, Comparable] | undefined;
}

export const KNOWN: readonly Known[] = [
  {
    name: 'a handler panics there',
    where: 'no server should',
    hide: (_step, ours, theirs) => (theirs.status === 0 ? [ours, ours] : undefined),
  },
];

/** Hides the intended differences, and counts them by name. */
export function hidden(
  step: Step,
  answers: readonly [Comparable, Comparable],
  count: (name: string) => void,
): readonly [Comparable, Comparable] {
  let [ours, theirs] = answers;
  for (const { name, hide } of KNOWN) {
    const found = hide(step, ours, theirs);
    if (found === undefined) continue;
    if (JSON.stringify([ours, theirs]) !== JSON.stringify(found)) count(name);
    [ours, theirs] = found;
  }
  return [ours, theirs];
}
