import { expect } from 'chai';
import { difference, type Fields, isEmpty } from './fields.js';
import { fieldsOf } from './fields-of.js';
import { allowedByLastApplied as allowedSteps, LAST_APPLIED, withNewLastApplied } from './last-applied.js';
import { atOnce } from './testing/at-once.js';
import { DEDUCED, type FieldType, SCALAR } from './type.js';

const V1 = 'example.com/v1';
const note = (spec: object, annotations?: object) => ({
  apiVersion: V1,
  metadata: { name: 'a', ...(annotations && { annotations }) },
  spec,
});
const appliedBefore = (spec: object, applied: unknown) => note(spec, { [LAST_APPLIED]: JSON.stringify(applied) });
const annotationsOf = (object: unknown) => (object as ReturnType<typeof note>).metadata.annotations;
const allowedByLastApplied = atOnce(allowedSteps);
const allowed = (live: unknown): Fields | undefined => allowedByLastApplied(live, DEDUCED, V1);
const struct = (fields: Readonly<Record<string, FieldType>>): FieldType => ({
  map: { isAtomic: false, fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type }])) },
});
const ITEMS: FieldType = { list: { isAtomic: false, keys: ['name'], element: struct({ name: SCALAR }) } };
const TYPED = struct({ apiVersion: SCALAR, metadata: DEDUCED, spec: struct({ title: SCALAR, items: ITEMS }) });
const isAllowed = (live: unknown, spec: object): boolean => {
  const wanted = difference(fieldsOf({ spec }, DEDUCED), fieldsOf({}, DEDUCED));
  return isEmpty(difference(wanted, allowed(live) ?? fieldsOf({}, DEDUCED)));
};

describe('the annotation of client-side apply', () => {
  it('allows the fields that it has set and nobody has changed since', () => {
    const live = appliedBefore({ title: 'a', text: 'changed', other: 1 }, note({ title: 'a', text: 'b', gone: 1 }));
    expect(isAllowed(live, { title: 'a' })).to.equal(true);
    for (const spec of [{ text: 'b' }, { other: 1 }, { gone: 1 }]) expect(isAllowed(live, spec)).to.equal(false);
  });

  it('allows nothing if it is absent, of another version, or cannot be read', () => {
    const spec = { title: 'a' };
    expect(allowed(note(spec))).to.equal(undefined);
    expect(allowed(note(spec, {}))).to.equal(undefined);
    expect(allowed(appliedBefore(spec, { ...note(spec), apiVersion: 'example.com/v2' }))).to.equal(undefined);
    for (const text of ['', '{', 'null', '[]', '1']) {
      expect(allowed(note(spec, { [LAST_APPLIED]: text })), text).to.equal(undefined);
    }
    for (const live of [undefined, null, 1, {}, { metadata: 1 }, { metadata: { annotations: 1 } }]) {
      expect(allowed(live)).to.equal(undefined);
    }
  });

  it('is read in the stored form, if what clients send has another one', () => {
    const live = appliedBefore({ title: 'a' }, { apiVersion: 'example.com/v2', heading: 'a' });
    const stored = (sent: unknown) => note({ title: (sent as { readonly heading: string }).heading });
    expect(allowedByLastApplied(live, DEDUCED, V1)).to.equal(undefined);
    expect(allowedByLastApplied(live, DEDUCED, V1, stored)).to.deep.equal(
      allowed(appliedBefore({ title: 'a' }, note({ title: 'a' }))),
    );
  });

  // Promise: contract 5.4
  it('allows nothing if it is not as the schema says: undeclared members, items without identity, items that are there twice', () => {
    const spec = { title: 'a', items: [{ name: 'x' }] };
    const fields = (applied: object) => allowedByLastApplied(appliedBefore(spec, note(applied)), TYPED, V1);
    expect(fields(spec)).to.have.property('f:spec');
    for (const more of [{ other: 1 }, { items: [{}] }, { items: [{ name: 'x' }, { name: 'x' }] }]) {
      expect(fields({ ...spec, ...more }), JSON.stringify(more)).to.equal(undefined);
    }
  });

  it('allows nothing if it is deeper than a body may be', () => {
    const nested = (levels: number): string => `{"apiVersion":"${V1}","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(allowed(note({}, { [LAST_APPLIED]: nested(99) }))).to.not.equal(undefined);
    for (const levels of [100, 50_000])
      expect(allowed(note({}, { [LAST_APPLIED]: nested(levels) }))).to.equal(undefined);
  });

  it('becomes what server-side apply has sent, without itself, in one line, and other annotations stay', () => {
    const live = note({ title: 'b' }, { mine: 'x', [LAST_APPLIED]: '{}' });
    const config = note({ title: 'b' }, { mine: 'x', [LAST_APPLIED]: '{}' });
    const { mine, [LAST_APPLIED]: text } = annotationsOf(withNewLastApplied(live, config)) as Record<string, string>;
    expect(mine).to.equal('x');
    expect(text?.endsWith('}\n')).to.equal(true);
    expect(JSON.parse(text ?? '')).to.deep.equal(note({ title: 'b' }, { mine: 'x' }));
    expect(annotationsOf(live)).to.deep.equal({ mine: 'x', [LAST_APPLIED]: '{}' });
  });

  it('becomes what was sent as it is if that has no metadata', () => {
    const config = { apiVersion: V1, spec: { title: 'b' } };
    const next = annotationsOf(withNewLastApplied(note({}, { [LAST_APPLIED]: '{}' }), config));
    expect(next).to.deep.equal({ [LAST_APPLIED]: `${JSON.stringify(config)}\n` });
  });

  it('is not added to objects that client-side apply has not written', () => {
    for (const live of [note({}), note({}, { mine: 'x' }), 1, undefined]) {
      expect(withNewLastApplied(live, note({}))).to.equal(live);
    }
  });

  it('is left out if the annotations would be larger than 256 KiB together, and no empty annotations stay', () => {
    const fits = (size: number, annotations: object = {}) =>
      annotationsOf(
        withNewLastApplied(note({}, { ...annotations, [LAST_APPLIED]: '{}' }), note({ t: 'x'.repeat(size) })),
      );
    const frame = Buffer.byteLength(LAST_APPLIED) + JSON.stringify(note({ t: '' })).length + 1;
    const room = 256 * 1024 - frame;
    expect(fits(room)).to.have.all.keys(LAST_APPLIED);
    expect(fits(room + 1)).to.equal(undefined);
    expect(fits(room - 2, { é: '' })).to.have.all.keys('é', LAST_APPLIED);
    expect(fits(room - 1, { é: '' })).to.deep.equal({ é: '' });
  });
});
