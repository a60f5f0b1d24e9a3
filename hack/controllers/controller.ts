import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Program, startProgram } from '../../test/e2e/process.js';
import { drawPort } from '../ports.js';

/**
 * Controllers read the namespace of their Lease from a file that a Pod has. This makes such a file that no other
 * process sees.
 */
const IN_POD = `mount -t tmpfs tmpfs /run && cd / && mkdir -p /run/secrets/kubernetes.io/serviceaccount &&
printf default >/run/secrets/kubernetes.io/serviceaccount/namespace && exec "$@"`;

export interface Controller {
  readonly program: Program;
  /** The lines that tell of errors. */
  errors(): readonly string[];
}

export interface ControllerOptions {
  readonly kubeconfig: string;
  /** Where it may write. */
  readonly folder: string;
  readonly args?: readonly string[];
}

/**
 * Starts a controller of Flux that sees the namespace `default` alone. Only root can elect a leader, because that needs
 * a mount.
 */
export async function startController(path: string, options: ControllerOptions): Promise<Controller> {
  const { kubeconfig, folder, args = [] } = options;
  await mkdir(join(folder, 'tmp'), { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const own = [
    `--metrics-addr=127.0.0.1:${drawPort()}`,
    `--health-addr=127.0.0.1:${drawPort()}`,
    '--watch-all-namespaces=false',
    '--log-level=info',
    '--log-encoding=json',
    `--enable-leader-election=${isRoot}`,
  ];
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, TMPDIR: join(folder, 'tmp'), KUBECONFIG: kubeconfig, RUNTIME_NAMESPACE: 'default' };
  const command = [path, ...own, ...args];
  const program = isRoot
    ? await startProgram('unshare', ['--mount', 'sh', '-c', IN_POD, 'sh', ...command], { env, cwd: folder })
    : await startProgram(path, command.slice(1), { env, cwd: folder });
  return { program, errors: () => errorsIn(program.stdout() + program.stderr()) };
}

function errorsIn(output: string): readonly string[] {
  return output.split('\n').filter((line) => line.includes('"level":"error"') || !/^(\{|$)/.test(line));
}
