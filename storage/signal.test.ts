import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { Signal } from './signal.js';

describe('Signal', () => {
  it('wakes everyone who waits, once', async () => {
    const signal = new Signal();
    let woken = 0;
    const waiters = [1, 2, 3].map(() => signal.wait().then(() => woken++));
    signal.notify();
    await Promise.all(waiters);
    signal.notify();
    expect(woken).to.equal(3);
  });

  it('makes a waiter that comes after a notification wait for the next one', async () => {
    const signal = new Signal();
    signal.notify();
    let woken = false;
    const waiting = signal.wait().then(() => {
      woken = true;
    });
    await setImmediate();
    expect(woken).to.equal(false);
    signal.notify();
    await waiting;
  });

  it('rejects with the reason of a signal that aborts before or during the wait', async () => {
    const signal = new Signal();
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = signal.wait(controller.signal).catch((error: unknown) => error);
    controller.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(await signal.wait(controller.signal).catch((error: unknown) => error)).to.equal(reason);
    signal.notify();
  });

  it('ends a wait without an error when the signal aborts, if that is asked for', async () => {
    const signal = new Signal();
    const controller = new AbortController();
    const waiting = signal.waitOrAbort(controller.signal);
    controller.abort();
    await waiting;
    await signal.waitOrAbort(controller.signal);
  });

  it('wakes a waiter once, and again when it waits again', async () => {
    const signal = new Signal();
    let turns = 0;
    const waiting = (async () => {
      while (turns < 2) {
        await signal.wait();
        turns++;
      }
    })();
    signal.notify();
    await setImmediate();
    expect(turns).to.equal(1);
    signal.notify();
    await waiting;
  });
});
