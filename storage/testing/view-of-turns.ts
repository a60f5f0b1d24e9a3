import { setImmediate as turn } from 'node:timers/promises';
import { Turns } from '../log/turns.js';

/** The view of the server `a`, on a clock that the test moves. */
export function viewOfA() {
  let time = 0;
  const turns = new Turns('a', () => time);
  let revision = 0;
  /** Each of the servers commits after so many milliseconds. */
  const commitEach = (milliseconds: number, ...servers: readonly string[]): void => {
    for (const server of servers) {
      time += milliseconds;
      turns.committed(server, ++revision);
    }
  };
  const commit = (...servers: readonly string[]): void => commitEach(5, ...servers);
  /** What `a` gets if it wants to append now: the revision, or undefined if it has to wait. */
  const ask = async (): Promise<number | undefined> => {
    const stop = new AbortController();
    let result: number | undefined;
    const waiting = turns.wait(stop.signal).then((end) => {
      if (!stop.signal.aborted) result = end;
    });
    await turn();
    stop.abort();
    await waiting;
    return result;
  };
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  /** For how many milliseconds `a` has to wait for servers that do not append, below 1024. They have passed then. */
  const patience = async (): Promise<number> => {
    const began = time;
    let waits = -1;
    for (let step = 512; step >= 1; step /= 2) {
      time = began + waits + step;
      if ((await ask()) === undefined) waits += step;
    }
    time = began + waits + 1;
    return waits + 1;
  };
  return { turns, commit, commitEach, ask, pass, patience };
}
