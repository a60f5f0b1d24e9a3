import { expect } from 'chai';
import { ConflictError } from './conflict.js';
import { FieldsError } from './element.js';
import { LAST_APPLIED } from './last-applied.js';
import { applyTo, entriesAfterUpdate, type Tracked } from './tracking.js';
import { DEDUCED, type FieldType } from './type.js';

const V1 = 'example.com/v1';
const note = (spec: object, annotations: object = {}) => ({
  apiVersion: V1,
  kind: 'Note',
  metadata: { name: 'a', annotations },
  spec,
});
const KEYED: FieldType = { list: { isAtomic: false, keys: ['name'], element: DEDUCED } };
/** Objects without schema, except for the items of `spec`. */
const TYPE: FieldType = {
  map: {
    isAtomic: false,
    fields: new Map([
      ['spec', { type: { map: { isAtomic: false, fields: new Map([['items', { type: KEYED }]]), element: DEDUCED } } }],
    ]),
    element: DEDUCED,
  },
};
const writing = (manager: string, operation: 'Apply' | 'Update') => ({
  by: { manager, operation, apiVersion: V1 },
  type: TYPE,
  now: '2001-01-01T00:00:00Z',
});

/** An object that kubectl's client-side apply wrote, and that `other` changed since. */
function live(applied: object, changes: object = {}): Tracked {
  const annotations = { [LAST_APPLIED]: JSON.stringify(note(applied)) };
  const first = note(applied, annotations);
  const client = writing('kubectl-client-side-apply', 'Update');
  const entries = entriesAfterUpdate(undefined, { object: first, entries: undefined }, client);
  const object = note({ ...applied, ...changes }, annotations);
  if (Object.keys(changes).length === 0) return { object, entries };
  const before = { object: first, entries };
  return { object, entries: entriesAfterUpdate(before, { object, entries: undefined }, writing('other', 'Update')) };
}

function apply(to: Tracked, spec: object, manager = 'kubectl'): unknown {
  try {
    const applied = applyTo(to, note(spec), { ...writing(manager, 'Apply'), force: false });
    return (applied.object as ReturnType<typeof note>).spec;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    return error.causes.map(({ field }) => field);
  }
}

describe('fieldmanager: the first server-side apply of kubectl', () => {
  it('takes over what its client-side apply has written', () => {
    expect(apply(live({ title: 'a', text: 'b' }), { title: 'c', text: 'b' })).to.deep.equal({ title: 'c', text: 'b' });
  });

  it('conflicts only with what others have changed since', () => {
    const changed = live({ title: 'a', text: 'b' }, { text: 'changed' });
    expect(apply(changed, { title: 'c', text: 'mine' })).to.deep.equal(['.spec.text']);
    expect(apply(changed, { title: 'c' })).to.deep.equal({ title: 'c', text: 'changed' });
  });

  it('is the only one: other managers conflict, and so does kubectl without its annotation', () => {
    expect(apply(live({ title: 'a' }), { title: 'c' }, 'other')).to.deep.equal(['.spec.title']);
    const entries = live({ title: 'a' }).entries;
    expect(apply({ object: note({ title: 'a' }), entries }, { title: 'c' })).to.deep.equal(['.spec.title']);
  });

  it('refuses items without identity as any other apply does', () => {
    expect(() => apply(live({ title: 'a' }), { title: 'c', items: [{ v: 1 }] })).to.throw(
      FieldsError,
      'an item has none of the keys name',
    );
  });

  it('conflicts with everything if what the client-side apply has sent cannot be read', () => {
    const { entries } = live({ title: 'a' });
    const annotations = { [LAST_APPLIED]: JSON.stringify(note({ title: 'a', items: [{ v: 1 }] })) };
    expect(apply({ object: note({ title: 'a' }, annotations), entries }, { title: 'c' })).to.deep.equal([
      '.spec.title',
    ]);
  });
});
