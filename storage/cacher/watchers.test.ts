import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Key } from '../key.js';
import { isInScope, type Watcher, Watchers, type WatchScope, WHOLE } from './watchers.js';

const A = 'folders.g/red/a' as Key;
const B = 'folders.g/blue/a' as Key;

/** Writes down what it is told. */
class Recorder implements Watcher {
  readonly told: (number | 'wake')[] = [];

  note(position: number): void {
    this.told.push(position);
  }

  wake(): void {
    this.told.push('wake');
  }
}

describe('Watchers', () => {
  const watching = (watchers: Watchers, scope: WatchScope): Recorder => {
    const recorder = new Recorder();
    watchers.add(recorder, scope);
    return recorder;
  };

  it('wakes those whose scope has a change, once for each commit, and tells them where the changes are', () => {
    const watchers = new Watchers();
    const [whole, red, blue, one] = [WHOLE, { namespace: 'red' }, { namespace: 'blue' }, { key: A }].map((scope) =>
      watching(watchers, scope),
    );
    watchers.note(A, 0);
    watchers.note(A, 1);
    watchers.notify();
    expect(whole?.told).to.deep.equal(['wake']);
    expect(red?.told).to.deep.equal([0, 1, 'wake']);
    expect(one?.told).to.deep.equal([0, 1, 'wake']);
    expect(blue?.told).to.deep.equal([]);
    watchers.note(B, 2);
    watchers.notify();
    expect(blue?.told).to.deep.equal([2, 'wake']);
    expect(one?.told).to.have.length(3);
  });

  it('wakes nobody if nothing has changed, and all if it is asked to', () => {
    const watchers = new Watchers();
    const all = [WHOLE, { namespace: 'red' }, { key: B }].map((scope) => watching(watchers, scope));
    watchers.notify();
    expect(all.flatMap(({ told }) => told)).to.deep.equal([]);
    watchers.wakeAll();
    expect(all.map(({ told }) => told)).to.deep.equal([['wake'], ['wake'], ['wake']]);
  });

  it('does not wake a watcher that was removed, also if its scope has changed before', () => {
    const watchers = new Watchers();
    const removed = watching(watchers, { key: A });
    watchers.note(A, 0);
    watchers.remove(removed, { key: A });
    watchers.notify();
    watchers.wakeAll();
    expect(removed.told).to.deep.equal([0]);
  });

  it('does not wake a watcher twice for one commit, or for the next one without a change', () => {
    const watchers = new Watchers();
    const all = [WHOLE, { namespace: 'red' }, { key: A }].map((scope) => watching(watchers, scope));
    watchers.note(A, 0);
    watchers.notify();
    watchers.notify();
    expect(all.map(({ told }) => told.filter((one) => one === 'wake'))).to.deep.equal([['wake'], ['wake'], ['wake']]);
  });

  it('serves the other watchers of a scope after one was removed', () => {
    for (const scope of [WHOLE, { namespace: 'red' }, { key: A }]) {
      const watchers = new Watchers();
      const [removed, left] = [watching(watchers, scope), watching(watchers, scope)];
      watchers.wakeAll();
      expect([removed.told.splice(0), left.told.splice(0)]).to.deep.equal([['wake'], ['wake']]);
      watchers.remove(removed, scope);
      watchers.note(A, 0);
      watchers.notify();
      expect([removed.told, left.told.at(-1)]).to.deep.equal([[], 'wake']);
      watchers.remove(left, scope);
      watchers.note(A, 1);
      watchers.wakeAll();
      expect(left.told.filter((one) => one === 'wake')).to.have.length(1);
    }
  });

  // Promise: security work
  it('wakes many watchers in stretches, between which others get their turns', async () => {
    let [now, woken] = [0, 0];
    const slow = (): Watcher => ({
      note: () => undefined,
      wake: () => {
        now++;
        woken++;
      },
    });
    const watchers = new Watchers(() => now);
    const many = Array.from({ length: 100 }, slow);
    for (const watcher of many) watchers.add(watcher, WHOLE);
    watchers.note(A, 0);
    watchers.notify();
    expect(woken).to.be.within(1, 20);
    const [gone] = many.splice(-1);
    watchers.remove(gone as Watcher, WHOLE);
    while (woken < many.length) await turn();
    await turn();
    expect(woken).to.equal(many.length);
    watchers.note(A, 1);
    watchers.notify();
    while (woken < 2 * many.length) await turn();
    watchers.wakeAll();
    watchers.wakeAll();
    while (woken < 3 * many.length) await turn();
  });

  it('bears the removal of a watcher that is not there', () => {
    for (const scope of [WHOLE, { namespace: 'red' }, { key: A }]) new Watchers().remove(new Recorder(), scope);
  });
});

describe('a scope of a resource', () => {
  it('is the object with the key, the objects of the namespace, or everything', () => {
    const inside = (scope: WatchScope) => [A, B].map((key) => isInScope(key, scope));
    expect(inside({ key: A })).to.deep.equal([true, false]);
    expect(inside({ key: A, namespace: 'blue' })).to.deep.equal([true, false]);
    expect(inside({ namespace: 'blue' })).to.deep.equal([false, true]);
    expect(inside(WHOLE)).to.deep.equal([true, true]);
  });
});
