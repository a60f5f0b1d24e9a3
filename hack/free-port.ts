import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Below the ports that the kernel gives to outgoing connections (32768 and up on Linux): one of those could have ours at the moment when
 * a program that was stopped wants it again.
 */
const [FIRST, COUNT] = [15_000, 17_000];
/** Coprime to COUNT and near its golden section: processes with neighbouring ids begin far from each other. */
const STRIDE = 10_507;
const TRIES = 10;
const PAUSE_MS = 300;

let next = (process.pid * STRIDE) % COUNT;

/** A port of loopback on which nobody listens; none is told twice before all have been. */
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

/** A program that was to listen has ended because another does. */
export class PortTaken extends Error {}

/** Starts again what found its port taken: another process may have been faster, or only have looked whether the port is free. */
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
