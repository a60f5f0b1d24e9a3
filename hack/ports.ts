import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The range is below the ports of outgoing connections (32768 and up on Linux). Otherwise such a connection could take
 * a port while its program restarts.
 */
const [FIRST, COUNT] = [15_000, 17_000];
/** Coprime to COUNT and near its golden section, so that processes with neighbouring ids start far apart. */
const STRIDE = 10_507;
const TRIES = 10;
const PAUSE_MS = 300;

let next = (process.pid * STRIDE) % COUNT;

/**
 * A loopback port for a program that must keep its port when it restarts, as a member of a replica set. Other programs
 * listen on port 0. Whether the port is free shows when the program listens; nothing checks it before. A port is
 * returned again only after all others.
 */
export function drawPort(): number {
  const port = FIRST + next;
  next = (next + 1) % COUNT;
  return port;
}

/** A program has ended because another one listens on its port. */
export class PortTaken extends Error {}

/** Retries a start whose port was taken. The start may draw another port each time. */
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
