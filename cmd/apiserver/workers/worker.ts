import { Caller, type Port, serve } from '../../../pkg/system/ipc/calls.js';
import { channelOf } from '../../../pkg/system/ipc/channel.js';
import { openLmdbReads } from '../../../storage/lmdb/reads.js';
import { openRemote } from '../../../storage/remote/open.js';
import { embeddedStore, openBackend } from '../storage.js';
import { SERVER, SLOT, STORE, sentErrors } from './channels.js';
import type { Host } from './host.js';

/** The calls of the supervisor to a worker. */
export interface Orders {
  stop(): void;
}

/** What the supervisor gives to this worker. */
export interface WorkerHost extends Host {
  /** Tells the supervisor that this worker listens. `greeting` is what the operator is told at the first start. */
  ready(greeting: string): Promise<void>;
  obey(orders: Orders): void;
}

export function workerHost(): WorkerHost {
  const port = portOfSupervisor();
  const server = channelOf(port, SERVER);
  const supervisor = new Caller(server, sentErrors, () => new Error('the supervisor of the workers is gone'));
  let own: () => Promise<unknown> = async () => [];
  let recent: () => Promise<unknown> = async () => [];
  let orders: Orders | undefined;
  serve(
    server,
    {
      metrics: () => own(),
      recent: () => recent(),
      stop: async () => (orders === undefined ? process.exit(0) : orders.stop()),
    },
    sentErrors,
  );
  return {
    objects: 'shared',
    isFirst: process.env[SLOT] === '0',
    openBackend: async (settings, observer) =>
      settings.storage.backend === 'embedded'
        ? openRemote(channelOf(port, STORE), openLmdbReads(embeddedStore(settings)))
        : openBackend(settings, observer),
    exclusively: async (work) => {
      await supervisor.call('lock');
      try {
        return await work();
      } finally {
        await supervisor.call('unlock');
      }
    },
    auditTarget: { write: (lines) => supervisor.call('audit', lines), close: async () => undefined },
    render: (collect) => {
      own = collect;
      return () => supervisor.call('metrics');
    },
    gather: (figures) => {
      recent = figures;
      return () => supervisor.call('recent');
    },
    // The standard output is that of the supervisor.
    tell: (text) => void process.stdout.write(text),
    ready: (greeting) => supervisor.call('ready', greeting),
    obey: (given) => {
      orders = given;
    },
  };
}

function portOfSupervisor(): Port {
  const closed = new AbortController();
  process.on('disconnect', () => closed.abort());
  return {
    post: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    listen: (listener) => void process.on('message', listener),
    closed: closed.signal,
  };
}
