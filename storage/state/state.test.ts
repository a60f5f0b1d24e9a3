import { expect } from 'chai';
import fc from 'fast-check';
import { keyOf } from '../key.js';
import type { Entry } from './entry.js';
import { ResourceState } from './resource-state.js';
import { State } from './state.js';
import { entryOf, type Held, RESOURCE } from './testing/held.js';
import { encodeTuple } from './tuple.js';

const held = fc.record({
  namespace: fc.constantFrom('', 'default', 'org-2'),
  name: fc.constantFrom('a', 'a.b', 'b', 'ab'),
  owners: fc.array(fc.constantFrom('u', 'u1', 'uu'), { maxLength: 3 }),
});
const keyOfHeld = ({ namespace, name }: Held): string => keyOf(RESOURCE, namespace, name);
const step = fc.record({ op: fc.constantFrom('put', 'put', 'delete', 'clone'), held });

const all = (state: ResourceState): readonly Entry[] => [...state.entries('', '~')];

/** Everything a state can be asked, against the plain map of what it should hold. */
function expectHolds(state: ResourceState, objects: ReadonlyMap<string, Entry>): void {
  const sorted = [...objects.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  expect(all(state)).to.deep.equal(sorted);
  expect(state.size).to.equal(objects.size);
  expect(state.bytes).to.equal(sorted.reduce((sum, { footprint }) => sum + footprint, 0));
  for (const namespace of ['', 'default', 'org-2']) {
    const inside = sorted.filter(({ key }) => key.startsWith(`${RESOURCE}/${namespace}/`));
    expect(state.count(namespace)).to.equal(inside.length);
  }
  for (const owner of ['u', 'u1', 'uu', 'none']) {
    const tuple = encodeTuple([owner]);
    const owned = sorted.filter(({ rows }) => rows.some((row) => row.tuple === tuple));
    expect([...state.range('owner', tuple)]).to.deep.equal(owned);
    const row = { index: 'owner', tuple };
    expect(state.first('', '~', 100, row)).to.deep.equal(owned);
    const [low, high] = [keyOf(RESOURCE, 'default', 'a.'), keyOf(RESOURCE, 'org-2', 'b')];
    const inRange = owned.filter(({ key }) => key >= low && key < high);
    expect(state.first(low, high, 2, row)).to.deep.equal(inRange.slice(0, 2));
  }
  expect([...state.range('no such index', '')]).to.deep.equal([]);
}

describe('ResourceState', () => {
  it('holds objects, counts and indexes as a plain map does, and clones never see each other', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = new ResourceState();
        let objects = new Map<string, Entry>();
        const earlier: { state: ResourceState; objects: ReadonlyMap<string, Entry> }[] = [];
        steps.forEach(({ op, held }, i) => {
          const entry = entryOf(held, i + 1);
          if (op === 'clone') {
            earlier.push({ state, objects });
            state = state.clone();
            objects = new Map(objects);
          } else if (op === 'put') {
            state.put(entry);
            objects.set(entry.key, entry);
          } else {
            state.delete(entry.key);
            objects.delete(entry.key);
          }
        });
        for (const one of [...earlier, { state, objects }]) expectHolds(one.state, one.objects);
      }),
    );
  });

  it('is the same if it is made of all objects at once, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(held, { selector: keyOfHeld }), async (all) => {
        const entries = all.map((one, i) => entryOf(one, i + 1));
        const objects = new Map(entries.map((entry) => [entry.key, entry]));
        const state = await ResourceState.of([...entries]);
        expectHolds(state, objects);
        const next = state.clone();
        for (const { key } of entries) next.delete(key);
        expectHolds(next, new Map());
        expectHolds(state, objects);
      }),
    );
  });

  it('orders by tuple, then by key', () => {
    const state = new ResourceState();
    const names: readonly Held[] = [
      { namespace: 'default', name: 'b', owners: ['u'] },
      { namespace: 'default', name: 'a', owners: ['u1'] },
      { namespace: 'default', name: 'c', owners: ['u'] },
    ];
    for (const one of names) state.put(entryOf(one, 1));
    expect([...state.range('owner', '')].map(({ key }) => key.slice(-1))).to.deep.equal(['b', 'c', 'a']);
  });
});

describe('Draft', () => {
  const a = entryOf({ namespace: 'default', name: 'a', owners: [] }, 1);
  const b = entryOf({ namespace: 'default', name: 'b', owners: [] }, 2);

  it('takes back all writes since a mark, also to resources that were written before', () => {
    const draft = new State(0).draft();
    draft.put(RESOURCE, a);
    const undo = draft.mark();
    draft.put(RESOURCE, b);
    draft.delete(RESOURCE, a.key);
    draft.put('other', a);
    undo();
    expect([
      draft.resource(RESOURCE).get(a.key),
      draft.resource(RESOURCE).size,
      draft.resource('other').size,
    ]).to.deep.equal([a, 1, 0]);
    const again = draft.mark();
    draft.put(RESOURCE, b);
    again();
    draft.put('other', b);
    const state = draft.finish(3, new Map());
    expect([state.resource(RESOURCE).size, state.resource('other').size]).to.deep.equal([1, 1]);
  });

  it('sets all objects of a resource, and goes on with them', async () => {
    const base = new State(0);
    const draft = base.draft();
    const filled = await ResourceState.of([a]);
    draft.fill(RESOURCE, filled);
    draft.put(RESOURCE, b);
    const state = draft.finish(2, new Map());
    expect([state.resource(RESOURCE).size, base.resource(RESOURCE).size, draft.base]).to.deep.equal([2, 0, base]);
    expect([state.revision, state.published]).to.deep.equal([2, state]);
  });
});

describe('State', () => {
  const a = entryOf({ namespace: 'default', name: 'a', owners: [] }, 1);

  it('never changes once it is made: a draft copies what it writes to', () => {
    const first = new State(0).draft();
    first.put(RESOURCE, a);
    const one = first.finish(1, new Map([['x', 1]]));
    const second = one.draft();
    second.put(RESOURCE, entryOf({ namespace: 'default', name: 'a', owners: [] }, 2));
    second.put('other', a);
    const two = second.finish(3, new Map([['y', 7]]));
    const third = two.draft();
    third.delete(RESOURCE, a.key);
    const three = third.finish(4, new Map());
    expect([one, two, three].map((state) => state.resource(RESOURCE).get(a.key)?.revision)).to.deep.equal([
      1,
      2,
      undefined,
    ]);
    expect([one, two, three].map((state) => state.resource('other').size)).to.deep.equal([0, 1, 1]);
    expect([...two.counters]).to.deep.equal([
      ['x', 1],
      ['y', 7],
    ]);
    expect(three.counters).to.equal(two.counters);
  });

  it('has no objects of a resource that nothing was written to, and those stay none', () => {
    const state = new State(0);
    expect(all(state.resource(RESOURCE))).to.deep.equal([]);
    state.draft().put(RESOURCE, a);
    expect(all(state.resource(RESOURCE))).to.deep.equal([]);
    expect(all(new State(0).resource(RESOURCE))).to.deep.equal([]);
  });
});
