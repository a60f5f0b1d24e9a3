import { expect } from 'chai';
import { Pulse } from './pulse.js';

/** The pulse of a server, in a database in which servers of the version before may run, and with change streams that the test ends. */
function polled() {
  const seen = { former: true, asked: 0, raised: 0, streams: 0, end: (): void => undefined };
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
  const findServer = async (): Promise<object | null> => {
    seen.asked++;
    return seen.former ? {} : null;
  };
  const raise = async (): Promise<void> => {
    seen.raised++;
  };
  const database = {
    log: { watch, updateOne: async () => undefined },
    heads: { find: () => ({ toArray: async () => [] }) },
    servers: { findOne: findServer },
    domain: { updateOne: raise },
    read: (work: (session: undefined) => unknown) => work(undefined),
    timeouts: { alone: 60_000 },
    writesWhole: false,
  };
  const presence = { id: 'me', hasOthers: async () => true };
  return { seen, database, pulse: new Pulse(database as never, presence as never, {} as never) };
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

  it('raises the format as soon as no server of the version before runs, once', async () => {
    const { seen, database, pulse } = polled();
    void pulse.wait(0, stop.signal);
    await poll();
    expect([database.writesWhole, seen.asked, seen.raised]).to.deep.equal([false, 1, 0]);
    seen.former = false;
    await poll();
    await poll();
    expect([database.writesWhole, seen.asked, seen.raised]).to.deep.equal([true, 2, 1]);
    await pulse.stop();
  });

  it('opens another change stream if there is none any more', async () => {
    const { seen, pulse } = polled();
    void pulse.wait(0, stop.signal);
    await poll();
    expect(seen.streams).to.equal(1);
    seen.end();
    await new Promise(setImmediate);
    await poll();
    expect(seen.streams).to.equal(2);
    await pulse.stop();
  });
});
