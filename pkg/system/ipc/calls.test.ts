import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { Caller, type ErrorCodec, type Methods, type Port, serve } from './calls.js';
import { channelOf } from './channel.js';
import { Mutex } from './mutex.js';

const errors: ErrorCodec = {
  encode: (error) => (error as Error).message,
  decode: (message) => new Error(String(message)),
};

/** Two ends of a channel. Messages arrive in a later turn. */
function pair() {
  const closing = new AbortController();
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const end = (own: number): Port => ({
    post: (message) => {
      const sent = structuredClone(message);
      setImmediate(() => {
        for (const listener of listeners[1 - own] ?? []) listener(sent);
      });
    },
    listen: (listener) => void listeners[own]?.push(listener),
    closed: closing.signal,
  });
  return { near: end(0), far: end(1), close: () => closing.abort() };
}

function connected(methods: Methods) {
  const { near, far, close } = pair();
  serve(far, methods, errors);
  return { caller: new Caller(near, errors, () => new Error('gone')), close };
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );
}

describe('Caller', () => {
  it('returns what the other end answers, in any order', async () => {
    const { caller } = connected({ late: async (n: number) => turn().then(() => n), now: async (n: number) => n });
    expect(await Promise.all([caller.call('late', 1), caller.call('now', 2)])).to.deep.equal([1, 2]);
  });

  it('rejects with the errors of the other end, and for methods that it does not have', async () => {
    const { caller } = connected({
      fail: async () => {
        throw new Error('no');
      },
    });
    expect(await failure(caller.call('fail'))).to.equal('no');
    expect(await failure(caller.call('other'))).to.match(/other, which does not exist/);
  });

  it('rejects calls without an answer when the other end is gone', async () => {
    const { caller, close } = connected({ never: () => new Promise(() => undefined) });
    const work = failure(caller.call('never'));
    close();
    expect(await work).to.equal('gone');
    expect(await failure(caller.call('never'))).to.equal('gone');
  });

  it('does not mix the channels of one port', async () => {
    const { near, far } = pair();
    for (const name of ['a', 'b']) serve(channelOf(far, name), { name: async () => name }, errors);
    const callers = ['a', 'b'].map((name) => new Caller(channelOf(near, name), errors, () => new Error('gone')));
    expect(await Promise.all(callers.map((caller) => caller.call('name')))).to.deep.equal(['a', 'b']);
  });
});

describe('Mutex', () => {
  it('lets one process in after another, and also when one is gone', async () => {
    const mutex = new Mutex();
    const [first, second, third] = [pair(), pair(), pair()];
    const order: string[] = [];
    await mutex.lock(first.near);
    const waiting = [second, third].map(async ({ near }, i) => {
      await mutex.lock(near);
      order.push(`${i + 2}`);
    });
    await turn();
    expect(order).to.deep.equal([]);
    mutex.unlock(third.near);
    mutex.unlock(first.near);
    await waiting[0];
    second.close();
    await Promise.all(waiting);
    expect(order).to.deep.equal(['2', '3']);
    mutex.unlock(third.near);
    for (let i = 0; i < 3; i++) await mutex.lock(third.near).then(() => mutex.unlock(third.near));
    expect(getEventListeners(third.near.closed, 'abort')).to.have.length(1);
  });
});
