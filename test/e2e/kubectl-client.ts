import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findKubectl } from '../../hack/kubectl.js';
import { eventually, type Program, startProgram } from './process.js';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Options {
  /** Standard input, for `-f -`. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A running kubectl. */
export interface Following {
  /** Waits until standard output has a line that matches. */
  sees(line: RegExp): Promise<void>;
  stdout(): string;
  readonly ended: Promise<number>;
  exitCode(): number | undefined;
  stop(): Promise<void>;
}

export interface Kubectl {
  readonly path: string;
  run(args: readonly string[], options?: Options): Promise<Outcome>;
  /** Standard output of a command that must succeed. */
  ok(args: readonly string[], options?: Options): Promise<string>;
  json<T = Record<string, unknown>>(args: readonly string[], options?: Options): Promise<T>;
  /** Standard error of a command that must fail. */
  fails(args: readonly string[], options?: Options): Promise<string>;
  follow(args: readonly string[]): Promise<Following>;
}

/**
 * kubectl with this kubeconfig, a home folder below `folder`, and without the environment of the tests. `given` is the
 * path of kubectl.
 */
export async function kubectlFor(kubeconfig: string, folder: string, given?: string): Promise<Kubectl> {
  const path = given ?? (await findKubectl());
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  const { PATH = '' } = process.env;
  const own = { PATH, HOME: home, KUBECONFIG: kubeconfig, KUBECACHEDIR: join(home, 'cache'), LC_ALL: 'C', TZ: 'UTC' };
  // Garbage collection would take a fifth of the time of kubectl, which runs for less than a second.
  const env = { ...own, GOGC: 'off', GOMEMLIMIT: '512MiB' };
  const start = (args: readonly string[], { input = '', env: more = {} }: Options = {}): Promise<Program> =>
    startProgram(path, args, { env: { ...env, ...more }, cwd: home, input });
  const run: Kubectl['run'] = async (args, options) => {
    const program = await start(args, options);
    const code = await program.ended;
    return { code, stdout: program.stdout(), stderr: program.stderr() };
  };
  const ok: Kubectl['ok'] = async (args, options) => expecting(args, await run(args, options), true).stdout;
  return {
    path,
    run,
    ok,
    json: async <T>(args: readonly string[], options?: Options) =>
      JSON.parse(await ok([...args, '-o', 'json'], options)) as T,
    fails: async (args, options) => expecting(args, await run(args, options), false).stderr,
    follow: async (args) => following(args, await start(args)),
  };
}

function expecting(args: readonly string[], outcome: Outcome, success: boolean): Outcome {
  if ((outcome.code === 0) === success) return outcome;
  const what = `kubectl ${args.join(' ')} ended with ${outcome.code}, but should have ${success ? 'succeeded' : 'failed'}`;
  throw new Error(`${what}.\n${outcome.stdout}${outcome.stderr}`);
}

function following(args: readonly string[], program: Program): Following {
  const { stdout, stderr, ended, exitCode } = program;
  return {
    stdout,
    ended,
    exitCode,
    sees: async (line) => {
      await eventually(
        () =>
          stdout()
            .split('\n')
            .some((text) => line.test(text))
            ? true
            : undefined,
        () => `kubectl ${args.join(' ')} never printed ${line}.\n${stdout()}${stderr()}`,
      );
    },
    stop: () => program.stop(),
  };
}
