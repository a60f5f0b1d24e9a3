import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The range is below the ports of outgoing connections (32768 and up on Linux). Otherwise such a connection could take a port while its
 * program restarts.
 */
const [FIRST, COUNT] = [15_000, 17_000];
/** Coprime to COUNT and near its golden section, so that processes with neighbouring ids start far apart. */
const STRIDE = 10_507;
const TRIES = 10;
const PAUSE_MS = 300;

let next = (process.pid * STRIDE) % COUNT;

/** A loopback port on which nobody listens. A port is returned again only after all others. */
export async function freePort(): Promise<number> {
  for (let looked = 0; looked < COUNT; looked++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** A program has ended because another one listens on its port. */
export class PortTaken extends Error {}

/** Retries a start whose port was taken. Another process may hold the port only for a moment, to check whether it is free. */
export async function untilPortIsFree<T>(start: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof PortTaken) || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
