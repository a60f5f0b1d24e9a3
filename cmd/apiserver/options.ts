import { HELP_TOPICS, helpText } from '../../pkg/config/known.js';
import { type Config, ConfigError } from '../../pkg/config/load.js';
import { loadSettings, placesOf } from './load-settings.js';

/** `profile` is the folder for the profile of this run. */
export type Command = { readonly run: Config; readonly profile: string | undefined } | { readonly print: string };

/** Reads the command line. Throws ConfigError. */
export function parseOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): Command {
  const topic = helpTopic(argv);
  if (topic !== undefined) return { print: helpAbout(topic, env) };
  if (argv.includes('--version')) return { print: `dashboard-apiserver ${version}\n` };
  const { profile, rest } = profileOption(argv);
  return { run: loadSettings(rest, env), profile };
}

/**
 * The topic of `--help`, `--help TOPIC` or `--help=TOPIC`: empty if none is given. Undefined if help is not asked for.
 */
function helpTopic(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((argument) => HELP.test(argument));
  if (at < 0) return undefined;
  const [, topic] = HELP.exec(argv[at] ?? '') ?? [];
  const next = argv[at + 1] ?? '';
  return topic ?? (next.startsWith('-') ? '' : next);
}

const HELP = /^(?:-h|--help(?:=(.*))?)$/;

function helpAbout(topic: string, env: Readonly<Record<string, string | undefined>>): string {
  const text = helpText(topic === '' ? undefined : topic, placesOf(env));
  if (text !== undefined) return text;
  throw new ConfigError([`There is no help about ${JSON.stringify(topic)}. Topics are ${HELP_TOPICS.join(', ')}.`]);
}

/** `--profile` or `--profile=FOLDER`. It is for one run, so it is no setting. */
function profileOption(argv: readonly string[]) {
  const given = argv.filter((argument) => PROFILE.test(argument));
  const rest = argv.filter((argument) => !PROFILE.test(argument));
  const profile = given.map((argument) => argument.slice('--profile='.length) || 'profile').at(-1);
  return { profile, rest };
}

const PROFILE = /^--profile(=.*)?$/;
