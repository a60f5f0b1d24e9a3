import { messageOf } from '../../pkg/errors/message.js';
import type { Running } from './compose.js';
import { type Command, parseOptions } from './options.js';
import { productVersion } from './version.js';

const FAILED = 1;
const WRONG_USE = 2;

function fail(error: unknown, code: number): never {
  process.stderr.write(`dashboard-apiserver cannot start: ${messageOf(error)}\n`);
  process.exit(code);
}

function options(version: string): Command {
  try {
    return parseOptions(process.argv.slice(2), process.env, version);
  } catch (error) {
    return fail(error, WRONG_USE);
  }
}

const url = (scheme: string, at: { readonly address: string; readonly port: number } | undefined): string =>
  at === undefined ? 'off' : `${scheme}://${at.address.includes(':') ? `[${at.address}]` : at.address}:${at.port}`;

function greet({ listening, kubeconfig, newPassword }: Running): void {
  const lines = [
    `dashboard-apiserver is listening: HTTP ${url('http', listening.http)}, HTTPS ${url('https', listening.https)}`,
    ...(kubeconfig === undefined ? [] : [`For kubectl: export KUBECONFIG=${kubeconfig}`]),
    ...(newPassword === undefined ? [] : [`The administrator's password, shown this once: ${newPassword}`]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The first signal lets requests finish. The second ends the process at once. */
function stopOnSignals(running: Running, stopProfile?: StopProfile): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(FAILED);
    isStopping = true;
    running.log.info({ signal }, 'shutting down');
    close(running, stopProfile).then(
      () => process.exit(0),
      (err: unknown) => {
        running.log.fatal({ err }, 'shutting down failed');
        process.exit(FAILED);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

type StopProfile = () => Promise<readonly string[]>;

/** The inspector is loaded only when needed. */
async function beginProfile(folder: string): Promise<StopProfile> {
  const { startProfile } = await import('./profile.js');
  return startProfile(folder);
}

async function close(running: Running, stopProfile?: StopProfile): Promise<void> {
  await running.close();
  const files = await stopProfile?.();
  if (files !== undefined) process.stdout.write(`Profiles: ${files.join(', ')}\n`);
}

async function main(): Promise<void> {
  const version = productVersion();
  const command = options(version);
  if ('print' in command) {
    process.stdout.write(command.print);
    return;
  }
  // Loaded only when needed, so that help and wrong settings are answered at once.
  const { compose } = await import('./compose.js');
  const { profile } = command;
  const stopProfile = profile === undefined ? undefined : await beginProfile(profile);
  const running = await compose(command.run, version).catch((error: unknown) => fail(error, FAILED));
  stopOnSignals(running, stopProfile);
  greet(running);
}

await main();
