import { relative } from 'node:path';
import { type Choice, chooser, type Identity, keyOf } from './choice.js';
import type { MutantStatus } from './stryker.js';

interface Mutant extends Omit<Identity, 'file'> {
  readonly id: string;
  readonly fileName: string;
}

interface Checker {
  init(): Promise<void>;
  group(mutants: readonly Mutant[]): Promise<readonly (readonly string[])[]>;
  check(mutants: readonly Mutant[]): Promise<Readonly<Record<string, { readonly status: string }>>>;
}

/**
 * A plugin of Stryker. Its checkers tell which mutants do not need to run, usually because they do not compile. This
 * one refuses those that are not chosen, so they are in no score.
 */
function makeChecker({ choice }: { readonly choice: Choice }): Checker {
  const isChosen = chooser(choice);
  const statusOf = ({ fileName, ...mutant }: Mutant): string =>
    isChosen(keyOf({ ...mutant, file: relative(process.cwd(), fileName) })) ? 'passed' : 'compileError';
  return {
    init: async () => undefined,
    group: async (mutants) => [mutants.map(({ id }) => id)],
    check: async (mutants) =>
      Object.fromEntries(mutants.map((one) => [one.id, { status: statusOf(one), reason: 'not chosen' }])),
  };
}
makeChecker.inject = ['options'] as const;

interface Tested extends Mutant {
  readonly status: MutantStatus;
}

/** Prints each result at once, so that a run that is stopped has told something. */
function makeReporter() {
  let [noticed, all] = [0, 0];
  const onMutantTested = ({ fileName, location, replacement, status }: Tested): void => {
    if (status === 'CompileError' || status === 'Ignored') return;
    all++;
    if (status === 'Killed' || status === 'Timeout') noticed++;
    const place = `${relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`;
    process.stdout.write(`${noticed} of ${all}  ${status}  ${place}  => ${replacement?.replace(/\s+/g, ' ')}\n`);
  };
  return { onMutantTested };
}
makeReporter.inject = [] as const;

/** The name that Stryker looks for. */
export const strykerPlugins = [
  { kind: 'Checker', name: 'chosen', factory: makeChecker },
  { kind: 'Reporter', name: 'lines', factory: makeReporter },
];
