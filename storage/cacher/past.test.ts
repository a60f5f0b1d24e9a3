import { expect } from 'chai';
import fc from 'fast-check';
import type { Key } from '../key.js';
import { type Entry, MemoryEntry } from '../state/entry.js';
import { ResourceState } from '../state/resource-state.js';
import { type Known, nearest, stateAt } from './past.js';
import { Ring } from './ring.js';

const KEYS = ['f.x/default/a', 'f.x/default/b', 'f.x/default/c'] as Key[];

const entryAt = (key: Key, revision: number): Entry =>
  new MemoryEntry(key, revision, Buffer.from(`{"n":${revision}}`), { labels: undefined, fields: {} }, [
    { index: 'parent', tuple: `t${revision % 2}` },
  ]);

/** The content of each revision, made one change after another. */
function historyOf(writes: readonly { readonly at: number; readonly gone: boolean }[]): {
  ring: Ring;
  states: Known[];
} {
  const ring = new Ring(0);
  const states: Known[] = [{ state: new ResourceState(), position: 0 }];
  for (const { at, gone } of writes) {
    const key = KEYS[at] as Key;
    const state = (states.at(-1) as Known).state.clone();
    const previous = state.get(key);
    if (gone && previous === undefined) continue;
    const revision = states.length;
    const current = gone ? undefined : entryAt(key, revision);
    if (current === undefined) state.delete(key);
    else state.put(current);
    ring.push({ key, revision, current, previous });
    states.push({ state, position: ring.end });
  }
  return { ring, states };
}

const contents = (state: ResourceState): unknown => [
  [...state.entries('f', 'g')],
  [...state.range('parent', 't')],
  state.count('default'),
];

describe('an earlier state', () => {
  it('is the same from any known state, earlier or later, which stays unchanged', () => {
    const write = fc.record({ at: fc.nat({ max: 2 }), gone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
        const { ring, states } = historyOf(writes);
        for (const from of states) {
          const before = contents(from.state);
          for (const to of states) {
            expect(contents(stateAt(from, ring, to.position))).to.deep.equal(contents(to.state));
          }
          expect(contents(from.state)).to.deep.equal(before);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is made from the nearest known state, and is that state if there are no events between', () => {
    const { ring, states } = historyOf(
      KEYS.flatMap((_, at) => [
        { at, gone: false },
        { at, gone: true },
      ]),
    );
    const [first, , , fourth] = states as [Known, Known, Known, Known];
    const { base, steps } = nearest([states.at(-1) as Known, fourth, first], 4);
    expect([base, steps]).to.deep.equal([fourth, 1]);
    expect(stateAt(fourth, ring, 3)).to.equal(fourth.state);
  });
});
