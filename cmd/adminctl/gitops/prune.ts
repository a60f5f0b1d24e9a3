import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import type { Terminal } from '../terminal.js';
import { isMember, type Planned } from './plan.js';

/** What keeps a sync with `--prune` from deleting what somebody still needs. */
export interface PruneOptions {
  readonly path: string;
  readonly prune: boolean;
  readonly check: boolean;
  readonly dryRun: boolean;
  /** No manifests at all may delete the whole set. */
  readonly allowEmpty: boolean;
  /** More than half of the set may be deleted. */
  readonly allowLargePrune: boolean;
}

/** Throws if there is nothing to sync: a program that failed to write manifests would delete the whole set. */
export function refuseEmpty({ path, prune, check, allowEmpty }: PruneOptions, count: number): void {
  if (count > 0 || !prune || check || allowEmpty) return;
  const where = path === '-' ? 'the standard input' : path;
  throw new Error(
    `There are no manifests in ${where}, so --prune would delete all members of the set. Nothing was changed. If you mean that, add --allow-empty.`,
  );
}

export interface Asking {
  readonly input: Readable;
  readonly terminal: Terminal;
  /** Prints the plan below this line, so that people see what they decide about. */
  readonly show: (heading: string) => void;
}

/** Above a plan that is refused. */
export const REFUSED = 'The plan, which was not carried out:';

/**
 * Throws if a plan deletes more than half of the members of the set, unless the command line or somebody at the
 * terminal allows it.
 */
export async function refuseLargePrune(
  { path, prune, check, dryRun, allowEmpty, allowLargePrune }: PruneOptions,
  plan: readonly Planned[],
  { input, terminal, show }: Asking,
): Promise<void> {
  const pruned = plan.filter(({ action }) => action === 'pruned').length;
  const kept = plan.filter(isMember).length;
  if (!prune || check || allowLargePrune || pruned <= kept || (allowEmpty && plan.length === pruned)) return;
  const what = `${pruned} of the ${pruned + kept} members of the set`;
  const mayAsk = !dryRun && path !== '-' && isAsked(input, terminal);
  show(mayAsk ? 'The plan, which is not carried out yet:' : REFUSED);
  if (mayAsk && (await agrees(`Delete ${what}?`, input, terminal))) return;
  throw new Error(`--prune would delete ${what}. Nothing was changed. If you mean that, add --allow-large-prune.`);
}

/** Whether somebody is at a terminal. */
function isAsked(input: Readable & { readonly isTTY?: boolean }, { err }: Terminal): boolean {
  return input.isTTY === true && err.isTTY === true;
}

/** Whether they say yes. */
async function agrees(question: string, input: Readable, { err }: Terminal): Promise<boolean> {
  const lines = createInterface({ input, output: err });
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
