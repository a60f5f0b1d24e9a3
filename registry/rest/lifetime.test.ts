import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { type Lifetime, lifetime } from './lifetime.js';

const HOUR = 3_600_000;

/** Everything that nothing holds is gone when it returns. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('lifetime', () => {
  it('ends by its time, also when garbage is collected before', async () => {
    const { signal } = lifetime(new AbortController().signal, 50);
    // As a watch waits: nobody but the signal knows of the timer.
    const waiting = ended(signal);
    await new Promise(setImmediate);
    collectGarbage();
    await waiting;
    expect(signal.aborted).to.equal(true);
  });

  it('ends with what is around it, also when that is over already', () => {
    const outer = new AbortController();
    const { signal } = lifetime(outer.signal, HOUR);
    expect(signal.aborted).to.equal(false);
    outer.abort();
    expect(signal.aborted).to.equal(true);
    expect(lifetime(outer.signal, HOUR).signal.aborted).to.equal(true);
  });

  it('leaves nothing behind, however it ends', async () => {
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
    // A turn, as what a WeakRef was made of lives to the end of the one it was made in.
    await new Promise(setImmediate);
    collectGarbage();
    expect(left.map((ref) => ref.deref())).to.deep.equal([undefined, undefined, undefined]);
    expect(getEventListeners(outer.signal, 'abort')).to.deep.equal([]);
  });
});
