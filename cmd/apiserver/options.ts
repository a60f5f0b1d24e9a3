import { readFileSync } from 'node:fs';
import { helpText } from '../../pkg/config/known.js';
import { type Config, loadConfig } from '../../pkg/config/load.js';

export type Command = { readonly run: Config } | { readonly print: string };

/** Reads the command line. Throws ConfigError. */
export function parseOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): Command {
  if (argv.includes('--help') || argv.includes('-h')) return { print: helpText() };
  if (argv.includes('--version')) return { print: `dashboard-apiserver ${version}\n` };
  return { run: loadConfig({ argv, env, readFile: (path) => readFileSync(path, 'utf8') }) };
}
