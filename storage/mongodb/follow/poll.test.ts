import { expect } from 'chai';
import { LogFollower } from './log-follower.js';

/** The follower of a server with change streams that the test ends. */
function polled() {
  const seen = { streams: 0, end: (): void => undefined };
  const watch = () => {
    seen.streams++;
    const ended = new Promise<void>((resolve) => {
      seen.end = resolve;
    });
    const next = async () => {
      await ended;
      return { done: true, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next }), close: async () => seen.end() };
  };
  const database = {
    logHead: { watch, updateOne: async () => undefined },
    heads: { find: () => ({ toArray: async () => [] }) },
    read: (work: (session: undefined) => unknown) => work(undefined),
    timeouts: { alone: 60_000 },
  };
  const heartbeat = { id: 'me', hasOthers: async () => true };
  return { seen, follower: new LogFollower(database as never, heartbeat as never, {} as never) };
}

describe('a poll of MongoDB', () => {
  const { setInterval } = globalThis;
  let stop: AbortController;
  let tick: () => void;
  beforeEach(() => {
    stop = new AbortController();
    const timer: object = { unref: () => timer };
    globalThis.setInterval = ((poll: () => void) => {
      tick = poll;
      return timer;
    }) as never;
  });
  afterEach(() => {
    globalThis.setInterval = setInterval;
    stop.abort();
  });

  async function poll(): Promise<void> {
    tick();
    await new Promise(setImmediate);
  }

  it('opens another change stream if there is none any more', async () => {
    const { seen, follower } = polled();
    void follower.wait(0, stop.signal);
    await poll();
    expect(seen.streams).to.equal(1);
    seen.end();
    await new Promise(setImmediate);
    await poll();
    expect(seen.streams).to.equal(2);
    await follower.stop();
  });
});
