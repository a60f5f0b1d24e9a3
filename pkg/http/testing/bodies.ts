import type { ApiResponse, Handler } from '../handler.js';
import { gate } from './harness.js';

/** Answers with the name and the groups of the caller. */
export const whoami: Handler = async (request) => ({
  status: 200,
  headers: {},
  body: Buffer.from([request.user.name, ...request.user.groups].join(' ')),
});

/** A watch that says one thing, then waits for its signal or its return(). */
export function quietWatch(log: string[]): Handler {
  return async (request) => {
    const stopped = gate();
    request.signal.addEventListener('abort', () => log.push('aborted'));
    let said = false;
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          if (said) {
            await stopped.opened;
            return { done: true, value: undefined };
          }
          said = true;
          return { done: false, value: Buffer.from('first\n') };
        },
        return: async () => {
          log.push('returned');
          stopped.open();
          return { done: true, value: undefined };
        },
      }),
    };
    return { status: 200, headers: { 'content-type': 'application/json' }, body, longRunning: true };
  };
}

/** An endless answer of large chunks. */
export function flood(log: string[], longRunning: boolean): Handler {
  return async () => {
    async function* body() {
      try {
        for (;;) yield Buffer.alloc(256 * 1024);
      } finally {
        log.push('returned');
      }
    }
    return { status: 200, headers: {}, body: body(), longRunning } satisfies ApiResponse;
  };
}
