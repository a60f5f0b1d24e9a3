import { readFileSync } from 'node:fs';
import { helpText } from '../../pkg/config/known.js';
import { type Config, loadConfig } from '../../pkg/config/load.js';

/** `profile` is the folder for the profile of this run. */
export type Command = { readonly run: Config; readonly profile: string | undefined } | { readonly print: string };

/** Reads the command line. Throws ConfigError. */
export function parseOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): Command {
  if (argv.includes('--help') || argv.includes('-h')) return { print: helpText() };
  if (argv.includes('--version')) return { print: `dashboard-apiserver ${version}\n` };
  const { profile, rest } = profileOption(argv);
  return { run: loadConfig({ argv: rest, env, readFile: (path) => readFileSync(path, 'utf8') }), profile };
}

/** `--profile` or `--profile=FOLDER`. It is for one run, so it is no setting. */
function profileOption(argv: readonly string[]) {
  const given = argv.filter((argument) => PROFILE.test(argument));
  const rest = argv.filter((argument) => !PROFILE.test(argument));
  const profile = given.map((argument) => argument.slice('--profile='.length) || 'profile').at(-1);
  return { profile, rest };
}

const PROFILE = /^--profile(=.*)?$/;
