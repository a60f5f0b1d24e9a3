import { connect, type Socket } from 'node:net';
import type { Processes } from './processes.js';

/** The work of bad clients, until the signal aborts. Resolves with a description of what was injected. */
export type Nuisance = (processes: Processes, signal: AbortSignal) => Promise<string>;

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function portOf({ servers }: Processes): number {
  return Number(new URL(servers[0]?.httpUrl ?? '').port);
}

function open(port: number, sent: string, sockets: Socket[]): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.on('error', () => resolve(false));
    socket.once('connect', () => {
      if (sent !== '') socket.write(sent);
      resolve(true);
    });
  });
}

function end(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

/** Connections that never send a request. */
export const idleConnections: Nuisance = async (processes, signal) => {
  const sockets: Socket[] = [];
  let opened = 0;
  for (let i = 0; i < 100 && !signal.aborted; i++) {
    const batch = await Promise.all(Array.from({ length: 100 }, () => open(portOf(processes), '', sockets)));
    opened += batch.filter((isOpen) => isOpen).length;
  }
  await untilAborted(signal);
  const left = sockets.filter(({ destroyed }) => !destroyed).length;
  end(sockets);
  return `${opened} idle connections were opened, ${left} were still open at the end`;
};

/** Requests whose headers come one byte each second. */
export const slowLoris: Nuisance = async (processes, signal) => {
  const sockets: Socket[] = [];
  await Promise.all(
    Array.from({ length: 500 }, () => open(portOf(processes), 'GET /apis HTTP/1.1\r\nX-Slow: ', sockets)),
  );
  const timer = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x');
  }, 1000);
  await untilAborted(signal);
  clearInterval(timer);
  end(sockets);
  return `${sockets.length} requests that come one byte each second`;
};

/** Watches whose socket nobody reads. */
export const slowWatchers: Nuisance = async (processes, signal) => {
  const sockets: Socket[] = [];
  const token = processes.adminToken;
  const request = `GET /apis/folder.svc.app/v1beta1/namespaces/default/folders?watch=true HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  await Promise.all(Array.from({ length: 200 }, () => open(portOf(processes), request, sockets)));
  for (const socket of sockets) socket.pause();
  await untilAborted(signal);
  end(sockets);
  return `${sockets.length} watches that nobody reads`;
};

/** One user who sends as many requests as it can. */
export const flood: Nuisance = async ({ doors }, signal) => {
  const statuses = new Map<number, number>();
  const one = async (): Promise<void> => {
    while (!signal.aborted) {
      const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
      const answer = await doors[0]?.send({ method: 'GET', path, as: 'robot' }).catch(() => undefined);
      statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 200 }, one));
  return `200 requests at a time of one user: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`;
};
