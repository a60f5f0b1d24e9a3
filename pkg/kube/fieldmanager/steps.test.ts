import { expect } from 'chai';
import type { Steps } from '../../system/yielding/steps.js';
import { declaredSteps } from './remove.js';
import { applyToSteps, entriesSteps, type Tracked } from './tracking.js';
import { type FieldType, SCALAR } from './type.js';
import type { Writing } from './update.js';

const struct = (fields: Readonly<Record<string, FieldType>>): FieldType => ({
  map: { isAtomic: false, fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type }])) },
});
const ITEM = struct({ k: SCALAR, a: SCALAR });
const TYPE = struct({
  keyed: { list: { isAtomic: false, keys: ['k'], element: ITEM } },
  set: { list: { isAtomic: false, keys: [], element: SCALAR } },
  whole: { list: { isAtomic: true, keys: [], element: ITEM } },
  map: { map: { isAtomic: false, fields: new Map(), element: ITEM } },
});
const COUNT = 5000;
/**
 * What a step may read of objects: hardly more than a copy of one of them, which is native code. A walk reads several
 * times as much.
 */
const MOST_READS = 1.5 * COUNT;

let reads = 0;

/** The same value, which counts what is read of it. */
function counted<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, name) => {
      reads++;
      return counted(Reflect.get(target, name)) as unknown;
    },
  });
}

/** The result, and the most that one step has read. */
function done<Result>(steps: Steps<Result>, least = 1): Result {
  let most = 0;
  for (;;) {
    reads = 0;
    const step = steps.next();
    most = Math.max(most, reads);
    if (step.done !== true) continue;
    expect(most).to.be.within(least, MOST_READS);
    return step.value;
  }
}

const numbers = Array.from({ length: COUNT }, (_, i) => i);
const values: Readonly<Record<string, (a: string) => object>> = {
  'a list with keys': (a) => ({ keyed: numbers.map((i) => ({ k: `k${i}`, a })) }),
  'a set': (a) => ({ set: numbers.map((i) => `${a}${i}`) }),
  'a map': (a) => ({ map: Object.fromEntries(numbers.map((i) => [`m${i}`, { k: `${i}`, a }])) }),
};

function writing(manager: string, operation: 'Apply' | 'Update'): Writing {
  return { by: { manager, operation, apiVersion: 'v1' }, type: TYPE, now: '2001-01-01T00:00:00Z' };
}

describe('fieldmanager: an object with thousands of fields', () => {
  for (const [name, made] of Object.entries(values)) {
    it(`is applied in short steps if it has ${name}`, () => {
      const applied = (live: Tracked, config: object, manager: string): Tracked =>
        done(applyToSteps(counted(live), counted(config), { ...writing(manager, 'Apply'), force: true }));
      const first = applied({ object: {}, entries: undefined }, made('a'), 'one');
      const taken = applied(first, made('b'), 'two');
      expect(taken.object).to.deep.equal(name === 'a set' ? taken.object : made('b'));
      const left = applied(taken, {}, 'two');
      expect(left.entries).to.have.length(1);
    });

    it(`is replaced in short steps if it has ${name}`, () => {
      const live = { object: made('a'), entries: [] };
      const next = { object: made('b'), entries: undefined };
      const first = done(entriesSteps(undefined, counted(next), writing('one', 'Update')));
      const entries = done(entriesSteps(counted({ ...live, entries: first }), counted(next), writing('two', 'Update')));
      expect(entries?.map(({ manager }) => manager)).to.include('two');
    });

    it(`is read in short steps if it has ${name}`, () => {
      const value = made('a');
      expect(done(declaredSteps(counted(value), TYPE))).to.deep.equal({ value, undeclared: [] });
    });
  }

  it('is replaced in short steps if it has a list that is compared as a whole', () => {
    const whole = (last: string) => ({ whole: numbers.map((i) => ({ k: `k${i}`, a: i === COUNT - 1 ? last : 'a' })) });
    const first = done(
      entriesSteps(undefined, { object: whole('a'), entries: undefined }, writing('one', 'Update')),
      0,
    );
    const live = { object: counted(whole('a')), entries: first };
    const next = { object: counted(whole('b')), entries: undefined };
    const entries = done(entriesSteps(live, next, writing('two', 'Update')));
    expect(entries?.map(({ manager }) => manager)).to.deep.equal(['two']);
  });
});
