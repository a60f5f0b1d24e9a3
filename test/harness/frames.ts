import type { Body } from './body.js';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Body;
}

/** The events of a watch, one after another. */
export interface WatchFrames {
  /** Waits for the next event. `undefined` if the stream has ended. */
  next(): Promise<WatchEvent | undefined>;
  /** The next `count` events, or fewer if the stream ends before. */
  take(count: number): Promise<readonly WatchEvent[]>;
  /** The events up to and including the first for which `last` returns true. */
  until(last: (event: WatchEvent) => boolean): Promise<readonly WatchEvent[]>;
  /** Ends the watch as a client that disconnects. */
  close(): Promise<void>;
}

/** Reads continuously, as a socket does. A watch therefore starts when the server answers, not when the test reads. */
export function readFrames(stream: AsyncIterable<Uint8Array>, abort: () => void): WatchFrames {
  const ready: WatchEvent[] = [];
  const waiting: (() => void)[] = [];
  let ended = false;
  const wake = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const pump = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of stream) {
      const lines = (rest + Buffer.from(chunk).toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      ready.push(...lines.map((line) => JSON.parse(line) as WatchEvent));
      wake();
    }
  };
  const pumping = pump().finally(() => {
    ended = true;
    wake();
  });
  pumping.catch(() => undefined);
  const next = async (): Promise<WatchEvent | undefined> => {
    while (ready.length === 0 && !ended) await new Promise<void>((resolve) => waiting.push(resolve));
    if (ready.length === 0) await pumping;
    return ready.shift();
  };
  const until = async (last: (event: WatchEvent) => boolean): Promise<readonly WatchEvent[]> => {
    const events: WatchEvent[] = [];
    for (let event = await next(); event !== undefined; event = await next()) {
      events.push(event);
      if (last(event)) break;
    }
    return events;
  };
  return {
    next,
    until,
    take: (count) => {
      let left = count;
      return count === 0 ? Promise.resolve([]) : until(() => --left === 0);
    },
    close: async () => {
      abort();
      await pumping;
    },
  };
}
