import { expect } from 'chai';
import { driftedFields, leavesOf } from './leaves.js';

/** The fields in which `now` differs from what the configuration made of the object. */
const drift = (config: object, then: object, now: object) => driftedFields(leavesOf(config, then), now);

describe('what is remembered of the fields that a set has applied', () => {
  const THEN = { spec: { title: 'A', tags: ['x', 'y'], deep: { a: { b: { c: 1 } } } } };

  it('finds the fields that were changed or removed, by their paths', () => {
    const config = { spec: { title: 'A', tags: ['x', 'y'] } };
    expect(drift(config, THEN, THEN)).to.deep.equal([]);
    expect(drift(config, THEN, { spec: { ...THEN.spec, title: 'B' } })).to.deep.equal(['spec.title']);
    expect(drift(config, THEN, { spec: { tags: ['y', 'x'] } })).to.deep.equal(['spec.title', 'spec.tags']);
    expect(drift(config, THEN, {})).to.deep.equal(['spec']);
    expect(drift(config, THEN, { spec: 'text' })).to.deep.equal(['spec']);
  });

  it('does not look at fields that the configuration does not have', () => {
    expect(drift({ spec: { title: 'A' } }, THEN, { spec: { title: 'A', tags: [] }, more: 1 })).to.deep.equal([]);
  });

  it('compares with what was stored, and leaves out what was not', () => {
    expect(drift({ spec: { title: 'a' } }, THEN, THEN)).to.deep.equal([]);
    expect(drift({ spec: { title: 'A', password: 'p' } }, THEN, THEN)).to.deep.equal([]);
    expect(leavesOf({ spec: { password: 'p' } }, THEN)).to.deep.equal({});
    expect(leavesOf({}, undefined)).to.deep.equal({});
  });

  it('does not look at what tells which object it is', () => {
    const config = { apiVersion: 'v1', kind: 'K', metadata: { name: 'a', namespace: 'n', labels: { l: 'x' } } };
    const leaves = leavesOf(config, config);
    expect(Object.keys(leaves)).to.deep.equal(['metadata']);
    expect(driftedFields(leaves, { metadata: { labels: { l: 'y' } } })).to.deep.equal(['metadata.labels.l']);
  });

  it('compares deep values as a whole, and empty ones', () => {
    const changed = { spec: { ...THEN.spec, deep: { a: { b: { c: 2 } } } } };
    expect(drift({ spec: { deep: { a: { b: { c: 1 } } } } }, THEN, changed)).to.deep.equal(['spec.deep.a.b']);
    expect(drift({ spec: {} }, { spec: {} }, { spec: { title: 'A' } })).to.deep.equal(['spec']);
  });

  it('compares an object with a list, or a text with an object, as a whole', () => {
    expect(drift({ spec: { title: { a: 1 } } }, THEN, { spec: { title: { a: 1 } } })).to.deep.equal(['spec.title']);
    expect(drift({ spec: { tags: { 0: 'x' } } }, THEN, THEN)).to.deep.equal([]);
    expect(drift({ spec: { title: null } }, { spec: { title: null } }, { spec: { title: null } })).to.deep.equal([]);
  });

  it('lets others add items to the lists that managers share', () => {
    const of = (...finalizers: readonly string[]) => ({ metadata: { finalizers } });
    expect(drift(of('a/b'), of('a/b'), of('c/d', 'a/b'))).to.deep.equal([]);
    expect(drift(of('a/b'), of('a/b'), of('c/d'))).to.deep.equal(['metadata.finalizers']);
    expect(drift(of('a/b'), of('a/b'), { metadata: {} })).to.deep.equal(['metadata.finalizers']);
  });

  it('remembers that an annotation that places an object is not there', () => {
    const of = (annotations?: object) => ({ metadata: { labels: { a: 'b' }, ...(annotations && { annotations }) } });
    const [config, keys] = [of({ x: 'y' }), ['folder', 'toString']];
    const leaves = leavesOf(config, of({ x: 'y' }), keys);
    expect(driftedFields(leaves, of({ x: 'y', more: 'z' }))).to.deep.equal([]);
    expect(driftedFields(leaves, of({ x: 'y', folder: 'z' }))).to.deep.equal(['metadata.annotations.folder']);
    const bare = leavesOf(of(), of(), keys);
    expect([driftedFields(bare, of()), driftedFields(bare, of({ folder: 'z' }))]).to.deep.equal([
      [],
      ['metadata.annotations.folder'],
    ]);
    expect(driftedFields(leavesOf(of({ folder: 'z' }), of({ folder: 'z' }), keys), of({}))).to.deep.equal([
      'metadata.annotations.folder',
    ]);
    expect(leavesOf(of(), of(), [])).to.deep.equal(leavesOf(of(), of()));
  });

  it('is not confused by names that all objects have', () => {
    expect(drift({ spec: { toString: 'x' } }, { spec: { title: 'A' } }, THEN)).to.deep.equal([]);
  });
});
