import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Settings } from '../../../pkg/config/schema.js';
import type { AuditTarget } from '../../../pkg/http/audit/sink.js';
import { sumMetrics } from '../../../pkg/http/metrics/sum.js';
import { Caller, type Port, serve } from '../../../pkg/system/ipc/calls.js';
import { channelOf } from '../../../pkg/system/ipc/channel.js';
import { Mutex } from '../../../pkg/system/ipc/mutex.js';
import type { Backend } from '../../../storage/backend.js';
import { isInUse } from '../../../storage/lmdb/lock.js';
import { shareBackend } from '../../../storage/remote/serve.js';
import { type FolderLocks, lockFolder } from '../../../storage/tables/folder/locks.js';
import { objectsFolder } from '../data-folder.js';
import { openBackend } from '../storage.js';
import { SERVER, SLOT, STORE, sentErrors } from './channels.js';
import { workersOf } from './count.js';
import { closeLostConnections } from './lost-connections.js';
import { startProcess } from './start-process.js';

/**
 * A worker that ends sooner than this after its start is started again only after a pause, which grows up to the
 * longest.
 */
const STABLE_AFTER = 10_000;
const LONGEST_PAUSE = 10_000;
/** Milliseconds for a worker to answer what it has counted. */
const METRICS_WITHIN = 2_000;
/** Milliseconds for the workers of an earlier server to end. */
const FREE_WITHIN = 3_000;
/** Milliseconds for all workers to end after `server.shutdown_delay`. Longer than the bounds of a worker itself. */
const END_WITHIN = 20_000;

export interface SupervisorOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly auditTarget: AuditTarget | undefined;
  /** Told once, when all workers listen for the first time. */
  readonly onReady: (greeting: string) => void;
  /** Told if the first worker cannot start. */
  readonly onFailed: (code: number) => void;
}

/** How a worker ended: with a code or a signal, or with an error if it had no process. */
interface End {
  readonly code?: number;
  readonly signal?: string;
  readonly err?: unknown;
}

interface Colleague {
  readonly worker: Worker;
  readonly caller: Caller;
  isReady: boolean;
}

/**
 * Starts the workers of a server. When one ends, it starts another one. It holds what they share: the ports, the
 * embedded store, the lock of the folder of the objects, the file of the audit log. It answers no request itself.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #colleagues = new Map<number, Colleague>();
  readonly #mutex = new Mutex();
  readonly #share: ((port: Port) => void) | undefined;
  readonly #close: () => Promise<void>;
  #greeting: string | undefined;
  #isReady = false;
  #isStopping = false;

  private constructor(
    options: SupervisorOptions,
    share: ((port: Port) => void) | undefined,
    close: () => Promise<void>,
  ) {
    this.#options = options;
    this.#share = share;
    this.#close = close;
  }

  /**
   * Opens the embedded store, and starts the first worker. The others are started when it listens, so that it alone
   * begins a new data folder.
   */
  static async start(options: SupervisorOptions): Promise<Supervisor> {
    cluster.setupPrimary({ serialization: 'advanced' });
    const embedded = options.settings.storage.backend === 'embedded' ? await openStore(options.settings) : undefined;
    const { server: unlock, writer } = await lockObjects(options.settings, embedded);
    // Releases the lock of the writer, which the first worker takes.
    await writer();
    const close = async (): Promise<void> => {
      await embedded?.close();
      await unlock();
      await options.auditTarget?.close();
    };
    const supervisor = new Supervisor(options, embedded && shareBackend(embedded), close);
    supervisor.#fork(0, 0);
    return supervisor;
  }

  /** Lets all workers finish their requests. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const bound = this.#options.settings.server.shutdown_delay + END_WITHIN;
    await Promise.all([...this.#colleagues.values()].map((colleague) => end(colleague, bound)));
    await this.#close();
  }

  #fork(slot: number, pause: number): void {
    const began = Date.now();
    const onEnd = (end: End): void => this.#ended(slot, Date.now() - began > STABLE_AFTER ? 0 : pause, end);
    const worker = startProcess({ [SLOT]: `${slot}` }, (err) => onEnd({ err }));
    if (worker === undefined) return;
    closeLostConnections(worker);
    const port = portOf(worker);
    const server = channelOf(port, SERVER);
    const caller = new Caller(server, sentErrors, () => new Error('the worker is gone'));
    this.#share?.(channelOf(port, STORE));
    this.#colleagues.set(slot, { worker, caller, isReady: false });
    serve(server, this.#methods(slot, server), sentErrors);
    worker.once('exit', (code, signal) => onEnd({ code, signal }));
  }

  #ended(slot: number, pause: number, end: End): void {
    this.#colleagues.delete(slot);
    if (this.#isStopping) return;
    if (this.#greeting === undefined) this.#failed(end);
    else this.#again(slot, pause, end);
  }

  #again(slot: number, pause: number, end: End): void {
    this.#options.log.error({ worker: slot, ...end }, 'a worker has ended and is started again');
    void sleep(pause, undefined, { ref: true }).then(() => {
      if (!this.#isStopping) this.#fork(slot, Math.min(Math.max(2 * pause, 250), LONGEST_PAUSE));
    });
  }

  #failed({ code, err }: End): void {
    // A worker that ran has told why it ended. One without a process could not.
    if (err !== undefined) this.#options.log.error({ err }, 'the first worker could not be started');
    this.#options.onFailed(code || 1);
  }

  #methods(slot: number, port: Port) {
    return {
      lock: () => this.#mutex.lock(port),
      unlock: async () => this.#mutex.unlock(port),
      audit: async (lines: string) => this.#options.auditTarget?.write(lines),
      metrics: async () => sumMetrics(await this.#ask('metrics')),
      recent: async () => (await this.#ask('recent')).filter((answer) => answer !== undefined),
      ready: async (greeting: string) => this.#ready(slot, greeting),
    };
  }

  #ready(slot: number, greeting: string): void {
    const colleague = this.#colleagues.get(slot);
    if (colleague !== undefined) colleague.isReady = true;
    const count = workersOf(this.#options.settings);
    if (this.#greeting === undefined) {
      this.#greeting = greeting;
      for (let i = 1; i < count; i++) this.#fork(i, 0);
    }
    const ready = [...this.#colleagues.values()].filter(({ isReady }) => isReady);
    if (this.#isReady || ready.length < count) return;
    this.#isReady = true;
    this.#options.onReady(this.#greeting);
  }

  /** A worker that does not answer in time is left out. */
  #ask(figures: 'metrics' | 'recent'): Promise<unknown[]> {
    const asked = [...this.#colleagues.values()].map(({ caller }) =>
      Promise.race([caller.call(figures), sleep(METRICS_WITHIN)]).catch(() => undefined),
    );
    return Promise.all(asked);
  }
}

/** If the server before this one was killed, its workers end a moment later, and have the store open until then. */
async function openStore(settings: Settings): Promise<Backend> {
  const deadline = Date.now() + FREE_WITHIN;
  for (;;) {
    try {
      return await openBackend(settings);
    } catch (error) {
      if (!isInUse(error) || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Takes the folder of the objects for this server. Its workers share it. */
async function lockObjects(settings: Settings, embedded: Backend | undefined): Promise<FolderLocks> {
  try {
    return await lockFolder(objectsFolder(settings));
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

/** Resolves when the worker has ended. After `bound` milliseconds, it is killed. */
async function end({ worker, caller }: Colleague, bound: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, 'exit');
  caller.call('stop').catch(() => undefined);
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), bound);
  await ended;
  clearTimeout(timer);
}

function portOf(worker: Worker): Port {
  const closed = new AbortController();
  worker.once('disconnect', () => closed.abort());
  worker.once('exit', () => closed.abort());
  return {
    post: (message) =>
      void (worker.isConnected() && worker.process.send(message as object, undefined, undefined, () => undefined)),
    listen: (listener) => void worker.on('message', listener),
    closed: closed.signal,
  };
}
