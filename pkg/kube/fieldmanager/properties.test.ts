import { expect } from 'chai';
import fc from 'fast-check';
import { ConflictError } from './conflict.js';
import { difference, type Fields, isEmpty, NO_FIELDS, union } from './fields.js';
import { fieldsOf } from './fields-of.js';
import { managersOf } from './managers.js';
import { applyTo, type Tracked } from './tracking.js';
import { DEDUCED, type FieldType, SCALAR } from './type.js';
import { ownable } from './update.js';

/**
 * Objects with every way to manage fields: members, dictionaries, sets, lists with keys, values as a whole, and values
 * without schema.
 */
const ITEM: FieldType = {
  map: {
    isAtomic: false,
    fields: new Map([
      ['name', { type: SCALAR }],
      ['v', { type: SCALAR }],
    ]),
  },
};
const SPEC: FieldType = {
  map: {
    isAtomic: false,
    fields: new Map([
      ['title', { type: SCALAR }],
      ['labels', { type: { map: { isAtomic: false, fields: new Map(), element: SCALAR } } }],
      ['tags', { type: { list: { isAtomic: false, keys: [], element: SCALAR } } }],
      ['items', { type: { list: { isAtomic: false, keys: ['name'], element: ITEM } } }],
      ['whole', { type: { list: { isAtomic: true, keys: [], element: SCALAR } } }],
      ['free', { type: DEDUCED }],
    ]),
  },
};
const TYPE: FieldType = { map: { isAtomic: false, fields: new Map([['spec', { type: SPEC }]]) } };

const KEYS = ['a', 'b', 'c', 'ü', '__proto__', '10'];

/**
 * Configurations with these keys and members. Members are never empty, because an empty object is a value of its own.
 */
function configOf(keys: readonly string[], more: readonly string[]) {
  const key = fc.constantFrom(...keys);
  const scalar = fc.integer({ min: 0, max: 3 });
  const dictionary = fc.dictionary(key, scalar, { noNullPrototype: true, minKeys: 1 });
  const items = fc.array(fc.record({ name: key, v: scalar }), { minLength: 1 });
  const members = {
    title: scalar,
    labels: dictionary,
    tags: fc.uniqueArray(key, { minLength: 1 }),
    items: items.map((all) => [...new Map(all.map((item) => [item.name, item])).values()]),
    whole: fc.array(scalar, { maxLength: 3 }),
    free: fc.dictionary(key, fc.oneof(scalar, dictionary, fc.array(scalar)), { noNullPrototype: true, minKeys: 1 }),
  };
  const spec = fc.record(members, { requiredKeys: ['labels'], noNullPrototype: true });
  return spec.map(({ title, whole, ...rest }) => ({
    spec: {
      ...rest,
      ...(more.includes('title') && title !== undefined && { title }),
      ...(more.includes('whole') && whole !== undefined && { whole }),
    },
  }));
}

const config = configOf(KEYS, ['title', 'whole']);
const manager = fc.constantFrom('one', 'two', 'three');
const history = fc.array(fc.tuple(manager, config), { maxLength: 5 });

const NOTHING: Tracked = { object: {}, entries: undefined };

function apply(live: Tracked, name: string, wanted: unknown, force = true): Tracked {
  const by = { manager: name, operation: 'Apply', apiVersion: 'v1' } as const;
  return applyTo(live, wanted, { by, type: TYPE, now: '2001-01-01T00:00:00Z', force });
}

function ownedBy(name: string, { entries = [] }: Tracked): Fields {
  const all = [...managersOf(entries).values()].filter((one) => one.manager === name);
  return all.reduce((fields, one) => union(fields, one.fields), NO_FIELDS);
}

function written(writes: readonly (readonly [string, unknown])[]): Tracked {
  return writes.reduce((live, [name, wanted]) => apply(live, name, wanted), NOTHING);
}

describe('fieldmanager: an apply', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(history, manager, config, (writes, name, wanted) => {
        const once = apply(written(writes), name, wanted);
        expect(apply(once, name, wanted, false)).to.deep.equal(once);
      }),
    );
  });

  it('makes the manager own exactly the fields of its configuration', () => {
    fc.assert(
      fc.property(history, manager, config, (writes, name, wanted) => {
        const live = apply(written(writes), name, wanted);
        expect(ownedBy(name, live)).to.deep.equal(ownable(fieldsOf(wanted, TYPE)));
      }),
    );
  });

  it('never conflicts with managers of other fields', () => {
    const [mine, theirs] = [configOf(['a', 'c', '10'], ['title']), configOf(['b', 'ü', '__proto__'], ['whole'])];
    fc.assert(
      fc.property(mine, theirs, (left, right) => {
        apply(apply(NOTHING, 'one', left, false), 'two', right, false);
      }),
    );
  });

  it('loses no field that another manager owns, unless it is forced', () => {
    fc.assert(
      fc.property(history, manager, config, (writes, name, wanted) => {
        const live = written(writes);
        const others = ['one', 'two', 'three'].filter((other) => other !== name);
        try {
          const next = apply(live, name, wanted, false);
          for (const other of others) {
            expect(ownedBy(other, next)).to.deep.equal(ownedBy(other, live));
            expect(isEmpty(difference(ownedBy(other, live), fieldsOf(next.object, TYPE)))).to.equal(true);
          }
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
          expect(others).to.include.members(error.conflicts.map(({ by }) => by.manager));
        }
      }),
    );
  });
});
