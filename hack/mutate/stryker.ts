import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Area } from './areas.js';
import type { Choice } from './choice.js';
import type { Workspace } from './workspace.js';

export type MutantStatus =
  | 'Killed'
  | 'Survived'
  | 'NoCoverage'
  | 'Timeout'
  | 'Ignored'
  | 'RuntimeError'
  | 'CompileError';

export interface Mutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: MutantStatus;
  readonly location: { readonly start: Position; readonly end: Position };
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The mutants of each file, with its text. */
export type Results = Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;

/**
 * Texts of messages are not mutated: most tests do not look at every word. Values that are made when a module is loaded
 * are not either, because each of them would need a process of its own.
 */
const LEFT_OUT = { mutator: { excludedMutations: ['StringLiteral'] }, ignoreStatic: true };
const TYPESCRIPT = ['--import', 'tsx/esm'];

export interface Run {
  readonly choice: Choice;
  readonly concurrency: number;
}

/** Mutates the files of an area and runs the tests that reach each mutant, until one of them fails. */
export async function mutate({ folder, tools }: Workspace, area: Area, run: Run): Promise<Results> {
  const { mutate: files, tests, without = [], store = 'memory' } = area;
  const runner = join(tools, 'node_modules/@stryker-mutator/mocha-runner/dist/src/index.js');
  const report = join(folder, 'mutation.json');
  const config = {
    ...LEFT_OUT,
    ...run,
    testRunner: 'mocha',
    plugins: [runner, join(folder, 'hack/mutate/plugins.ts')],
    checkers: ['chosen'],
    checkerNodeArgs: TYPESCRIPT,
    testRunnerNodeArgs: TYPESCRIPT,
    mochaOptions: { spec: tests, 'no-config': true, grep: exceptTests(without) },
    mutate: [...files, '!**/*.test.ts'],
    coverageAnalysis: 'perTest',
    timeoutMS: 5_000,
    dryRunTimeoutMinutes: 15,
    reporters: ['lines', 'json'],
    jsonReporter: { fileName: report },
    inPlace: true,
    disableTypeChecks: false,
    warnings: { unknownOptions: false },
    // TypeScript 7 has no compiler API, so Stryker must not read the configuration of the compiler.
    tsconfigFile: 'none.json',
  };
  await writeFile(join(folder, 'stryker.conf.json'), JSON.stringify(config));
  const stryker = join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const environment = { ...process.env, STORAGE: store };
  const child = spawn(process.execPath, [...TYPESCRIPT, stryker, 'run'], {
    cwd: folder,
    env: environment,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('Stryker failed, see above. The tests must pass before they can find mutants.');
  return JSON.parse(await readFile(report, 'utf8')).files as Results;
}

/** A pattern for the names of all tests but those with one of the texts. */
function exceptTests(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `^(?!.*(${texts.join('|')}))`;
}
