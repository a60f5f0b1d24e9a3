import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { type Lifetime, lifetime } from './lifetime.js';

const HOUR = 3_600_000;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('lifetime', () => {
  it('ends after its time, even if garbage is collected before', async () => {
    const { signal } = lifetime(new AbortController().signal, 50);
    // A watch waits in the same way: only the signal references the timer.
    const waiting = ended(signal);
    await new Promise(setImmediate);
    collectGarbage();
    await waiting;
    expect(signal.aborted).to.equal(true);
  });

  it('ends when the outer signal aborts, or has aborted before', () => {
    const outer = new AbortController();
    const { signal } = lifetime(outer.signal, HOUR);
    expect(signal.aborted).to.equal(false);
    outer.abort();
    expect(signal.aborted).to.equal(true);
    expect(lifetime(outer.signal, HOUR).signal.aborted).to.equal(true);
  });

  it('leaves no reference behind, however it ends', async () => {
    const outer = new AbortController();
    const endings: readonly ((life: Lifetime) => unknown)[] = [
      (life) => life.end(),
      () => outer.abort(),
      ({ signal }) => signal.aborted,
    ];
    const left = endings.map((endIt) => {
      const life = lifetime(outer.signal, HOUR);
      endIt(life);
      return new WeakRef(life.signal);
    });
    // The target of a new WeakRef lives at least until the end of the current turn of the event loop.
    await new Promise(setImmediate);
    collectGarbage();
    expect(left.map((ref) => ref.deref())).to.deep.equal([undefined, undefined, undefined]);
    expect(getEventListeners(outer.signal, 'abort')).to.deep.equal([]);
  });
});
