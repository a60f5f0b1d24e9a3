#!/usr/bin/env node
import type { Logger } from 'pino';
import type { Settings } from '../../pkg/config/schema.js';
import { messageOf } from '../../pkg/system/errors/message.js';
import { isStorageError } from '../../storage/errors.js';
import type { Running } from './compose.js';
import { type Command, parseOptions } from './options.js';
import { keepRequestsYoung } from './v8-flags.js';
import { productVersion } from './version.js';
import type { Host } from './workers/host.js';

const FAILED = 1;
const WRONG_USE = 2;

function fail(error: unknown, code: number): never {
  process.stderr.write(`dashboard-apiserver cannot start: ${messageOf(reasonOf(error))}\n`);
  process.exit(code);
}

/** Clients are not told what the store says about the disk or the database, but the operator is. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && isStorageError(error.cause) ? error.cause : error;
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

function greeting({ listening, kubeconfig }: Running): string {
  const lines = [
    `dashboard-apiserver is listening: HTTP ${url('http', listening.http)}, HTTPS ${url('https', listening.https)}`,
    ...(kubeconfig === undefined ? [] : [`For kubectl: export KUBECONFIG=${kubeconfig}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Node opens its debugger at this signal. Whoever may debug the server reads its secrets, so it takes an option of Node
 * at the start (`--inspect`).
 */
function ignoreDebugSignal(): void {
  process.on('SIGUSR1', () => undefined);
}

function stopOnSignals(end: () => Promise<void>, log: Logger): void {
  const stop = stopper(end, log);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** The first signal lets requests finish, after `server.shutdown_delay`. The second ends the process at once. */
function stopper(end: () => Promise<void>, log: Logger): (signal: NodeJS.Signals) => void {
  let isStopping = false;
  return (signal) => {
    if (isStopping) process.exit(FAILED);
    isStopping = true;
    log.info({ signal }, 'shutting down');
    end().then(
      () => process.exit(0),
      (err: unknown) => {
        log.fatal({ err }, 'shutting down failed');
        process.exit(FAILED);
      },
    );
  };
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
  process.setSourceMapsEnabled(true);
  keepRequestsYoung();
  ignoreDebugSignal();
  const version = productVersion();
  const command = options(version);
  if ('print' in command) {
    process.stdout.write(command.print);
    return;
  }
  // Loaded only when needed, so that help and wrong settings are answered at once.
  const { isWorker, workersOf } = await import('./workers/count.js');
  if (isWorker()) return work(command, version);
  if (workersOf(command.run.settings) > 1) return supervise(command.run.settings);
  const { running, stopProfile } = await run(command, version);
  stopOnSignals(() => close(running, stopProfile), running.log);
  process.stdout.write(greeting(running));
}

type Run = Extract<Command, { readonly run: unknown }>;

async function run({ run: config, profile }: Run, version: string, host?: Host) {
  const { compose } = await import('./compose.js');
  const failed = (error: unknown) => fail(error, FAILED);
  const stopProfile = profile === undefined ? undefined : await beginProfile(profile).catch(failed);
  const running = await compose(config, version, host).catch(failed);
  return { running, stopProfile };
}

/**
 * One of several processes that serve requests. The supervisor tells it when to stop; Ctrl-C reaches all of them and is
 * left to the supervisor.
 */
async function work(command: Run, version: string): Promise<void> {
  const { workerHost } = await import('./workers/worker.js');
  const host = workerHost();
  const { running, stopProfile } = await run(command, version, host);
  const begin = stopper(() => close(running, stopProfile), running.log);
  let isStopping = false;
  // A signal to the whole group of processes comes beside the order of the supervisor, and is no second signal. The
  // supervisor ends at a second one.
  const stop = (): void => {
    if (!isStopping) begin('SIGTERM');
    isStopping = true;
  };
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', stop);
  host.obey({ stop });
  await host.ready(greeting(running));
}

async function supervise(settings: Settings): Promise<void> {
  const { startWorkers } = await import('./workers/start.js');
  const onReady = (text: string): void => void process.stdout.write(text);
  const onFailed = (code: number): void => process.exit(code);
  const { log, stop } = await startWorkers({ settings, onReady, onFailed }).catch((error: unknown) =>
    fail(error, FAILED),
  );
  stopOnSignals(stop, log);
}

await main();
