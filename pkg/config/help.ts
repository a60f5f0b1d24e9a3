import { KNOWN_SETTINGS, type KnownSetting } from './known.js';
import { AUTH_PROVIDERS } from './schema.js';

const INTRODUCTION = `Usage: npm start -- [--config=FILE] [--section.name=value ...]

Every setting can be given as an argument, as a variable of the environment or as a line in an INI file; the first of
these that has it wins. [server] http_port in the file is --server.http_port=3000 or APISERVER_SERVER_HTTP_PORT=3000.
With __FILE at the end of its name (--security.admin_password__FILE=/run/secrets/admin) a value is read from a file.
In the INI file, put quotes around a value that contains ; or #.

  --config=FILE   settings file
  --help          this text
  --version       the version
`;

const entry = ({ key, description, fallback, otherwise }: KnownSetting): string =>
  `  --${key}=…\n      ${description}\n      Default: ${fallback ?? otherwise ?? 'none'}\n`;

/** What `--help` prints. */
export function helpText(): string {
  const providers = `  --auth.<provider>.<key>=…\n      Keys of a sign-on provider: ${AUTH_PROVIDERS.join(', ')}.\n`;
  return `${INTRODUCTION}\nSettings:\n\n${[...KNOWN_SETTINGS.map(entry), providers].join('\n')}`;
}
