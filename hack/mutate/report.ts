import { keyOf } from './choice.js';
import type { Mutant, Position, Results } from './stryker.js';

/** A mutant that no test notices, and why that is right. It is found by its file and its texts, because lines move. */
export interface Accepted {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

export interface Survivor extends Omit<Accepted, 'why'> {
  readonly line: number;
  readonly why: string | undefined;
}

export interface Score {
  readonly killed: number;
  readonly all: number;
}

export function scoreOf(mutants: readonly Mutant[]): Score {
  const killed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  return { killed, all: killed + mutants.filter(hasSurvived).length };
}

export function survivorsOf(results: Results, accepted: readonly Accepted[]): readonly Survivor[] {
  return Object.entries(results).flatMap(([file, { source, mutants }]) =>
    mutants.filter(hasSurvived).map((mutant) => {
      const [from, to] = [textAt(source, mutant), mutant.replacement];
      const why = accepted.find((one) => one.file === file && one.from === from && one.to === to)?.why;
      return { file, line: mutant.location.start.line, from, to, why };
    }),
  );
}

/** The keys of the mutants that survived, as the checker knows them. Lines and columns begin at 1 in a report. */
export function survivingKeys(results: Results): readonly string[] {
  const zeroBased = ({ line, column }: Position): Position => ({ line: line - 1, column: column - 1 });
  return Object.entries(results).flatMap(([file, { mutants }]) =>
    mutants.filter(hasSurvived).map(({ replacement, location: { start, end } }) => {
      return keyOf({ file, replacement, location: { start: zeroBased(start), end: zeroBased(end) } });
    }),
  );
}

/** A line for each file, the survivors with their reasons, and the score. */
export function render(results: Results, survivors: readonly Survivor[]): string {
  const files = Object.entries(results)
    .filter(([, { mutants }]) => scoreOf(mutants).all > 0)
    .map(([file, { mutants }]) => `${percent(scoreOf(mutants))}  ${file}`);
  const lines = survivors.map(
    ({ file, line, from, to, why }) => `${file}:${line}: ${from} => ${to}\n    ${why ?? 'NO TEST NOTICES'}`,
  );
  const all = Object.values(results).flatMap(({ mutants }) => mutants);
  const endless = all.filter(({ status }) => status === 'Timeout').length;
  return [...files, '', ...lines, '', `${percent(scoreOf(all))}  in all, ${endless} of them did not end`].join('\n');
}

function hasSurvived({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

function percent({ killed, all }: Score): string {
  const share = all === 0 ? 100 : (100 * killed) / all;
  return `${share.toFixed(1).padStart(5)} %  ${killed} of ${all}`.padEnd(24);
}

/** The text of the mutant in one line. */
function textAt(source: string, { location: { start, end } }: Mutant): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const cut = lines.map((line, i) =>
    line.slice(i === 0 ? start.column - 1 : 0, i === last ? end.column - 1 : undefined),
  );
  return inOneLine(cut);
}

export function inOneLine(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ');
}
