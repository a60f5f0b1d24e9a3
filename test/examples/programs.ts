import { execFile } from 'node:child_process';
import { access, constants, cp, mkdtemp, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { examplePath, type TestServer } from '../e2e/harness.js';

const run = promisify(execFile);

/** Runs a program for a server, as its administrator. Rejects with what it printed. */
export type Run = (...args: readonly string[]) => Promise<string>;

export const kubeconfigOf = ({ folder }: TestServer): string => join(folder, 'data/kubeconfig');

export function helmFor(program: string, server: TestServer): Run {
  const home = join(server.folder, 'helm');
  const own = { HELM_CONFIG_HOME: home, HELM_CACHE_HOME: home, HELM_DATA_HOME: home };
  return runnerOf(program, { cwd: server.folder, env: { ...own, KUBECONFIG: kubeconfigOf(server) } });
}

/**
 * Terraform in a copy of the example, which gets its state. The provider was built here, so nothing is fetched, and
 * `init` is not needed.
 */
export async function terraformFor(program: string, provider: string, server: TestServer): Promise<Run> {
  const folder = await mkdtemp(join(server.folder, 'terraform-'));
  await cp(examplePath('company/terraform'), folder, { recursive: true });
  const settings = join(folder, 'terraform.rc');
  const overrides = `"gavinbunney/kubectl" = ${JSON.stringify(dirname(provider))}`;
  await writeFile(settings, `provider_installation {\n  dev_overrides {\n    ${overrides}\n  }\n  direct {}\n}\n`);
  const own = { TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' };
  return runnerOf(program, { cwd: folder, env: { ...own, TF_VAR_kubeconfig: kubeconfigOf(server) } });
}

/** Terraform or OpenTofu: the program that `TERRAFORM` names, or one on PATH. `undefined` if there is none. */
export async function findTerraform(): Promise<string | undefined> {
  const given = process.env['TERRAFORM'];
  if (given) return given;
  for (const name of ['terraform', 'tofu'])
    for (const folder of (process.env['PATH'] ?? '').split(delimiter))
      if (folder !== '' && (await isExecutable(join(folder, name)))) return join(folder, name);
  return undefined;
}

function runnerOf(program: string, { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Run {
  const { PATH = '' } = process.env;
  return async (...args) => {
    const options = { cwd, env: { PATH, HOME: cwd, ...env }, maxBuffer: 2 ** 24 };
    const { stdout } = await run(program, args, options).catch(
      (error: { readonly stdout: string; readonly stderr: string }) => {
        throw new Error(`${program} ${args.join(' ')} failed.\n${error.stdout}${error.stderr}`, { cause: error });
      },
    );
    return stdout;
  };
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
