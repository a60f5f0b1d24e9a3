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

  it('lets who comes later wait for the next', async () => {
    const signal = new Signal();
    signal.notify();
    let woken = false;
    const waiting = signal.wait().then(() => {
      woken = true;
    });
    await new Promise(setImmediate);
    expect(woken).to.equal(false);
    signal.notify();
    await waiting;
  });

  it('rejects with the reason of the abort signal, before or while waiting', async () => {
    const signal = new Signal();
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = signal.wait(controller.signal).catch((error: unknown) => error);
    controller.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(await signal.wait(controller.signal).catch((error: unknown) => error)).to.equal(reason);
    signal.notify();
  });

  it('lets a waiter wait again when it is woken, without being woken twice', async () => {
    const signal = new Signal();
    let turns = 0;
    const waiting = (async () => {
      while (turns < 2) {
        await signal.wait();
        turns++;
      }
    })();
    signal.notify();
    await new Promise(setImmediate);
    expect(turns).to.equal(1);
    signal.notify();
    await waiting;
  });
});
