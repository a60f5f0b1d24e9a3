import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import {
  asBuffer,
  decodeObject,
  encodeText,
  revisionOf,
  textOfObject,
  textWithObject,
  withoutRevision,
  withRevision,
} from './codec.js';

const object = fc.record({
  apiVersion: fc.constant('folder.svc.app/v1beta1'),
  kind: fc.constant('Folder'),
  metadata: fc.record({ name: fc.string({ unit: 'binary' }), labels: fc.dictionary(fc.string(), fc.string()) }),
  spec: fc.jsonValue(),
});
const revision = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
/** Values that look like the text where the revision is inserted. */
const confusing = { metadata: { resourceVersion: '7', name: '"metadata":{"resourceVersion":"8"' } };

const textWithout = (bytes: Uint8Array): string => Buffer.from(withoutRevision(bytes)).toString();

describe('codec', () => {
  it('inserts the revision into the metadata and changes nothing else', () => {
    fc.assert(
      fc.property(object, revision, (value, at) => {
        const decoded = decodeObject(encodeText(canonicalJson(value), at));
        expect(decoded).to.deep.equal(
          JSON.parse(JSON.stringify({ ...value, metadata: { ...value.metadata, resourceVersion: String(at) } })),
        );
      }),
    );
  });

  it('gives integers back that a double would round, also those of an object in an object', () => {
    const metadata = { name: 'a' };
    const inner = { kind: 'A', metadata, spec: { n: 9223372036854775807n, text: 'é' } };
    const plain = { kind: 'A', metadata, spec: { n: 9007199254740992, text: '9007199254740993' } };
    const whole = { metadata: { name: 'a', resourceVersion: '7' } };
    for (const one of [inner, plain]) {
      const bytes = encodeText(textOfObject(one), 7);
      expect(decodeObject(bytes)).to.deep.equal({ ...one, ...whole });
      expect(decodeObject(withRevision(bytes, 7))).to.deep.equal({ ...one, ...whole });
      expect(textWithout(bytes)).to.equal(textOfObject(one));
      expect(revisionOf(bytes)).to.equal(7);
      for (const spec of [{ a: 1 }, { a: -9223372036854775808n }]) {
        const text = textWithObject(textOfObject({ metadata, spec }), 'object', Buffer.from(textOfObject(one)));
        expect(decodeObject(encodeText(text, 7))).to.deep.equal({ ...whole, spec: { ...spec, object: one } });
      }
    }
  });

  it('returns the original text', () => {
    fc.assert(
      fc.property(object, revision, (value, at) => {
        expect(textWithout(encodeText(canonicalJson(value), at))).to.equal(canonicalJson(value));
      }),
    );
  });

  it('replaces the revision as if the object had been written with the new one', () => {
    fc.assert(
      fc.property(object, revision, revision, (value, at, other) => {
        const bytes = withRevision(encodeText(canonicalJson(value), at), other);
        expect(asBuffer(bytes)).to.deep.equal(asBuffer(encodeText(canonicalJson(value), other)));
      }),
    );
  });

  it('does not confuse the content of an object with its revision', () => {
    const value = { kind: 'Test', metadata: { name: '"metadata":{' }, spec: { ...confusing, list: [confusing] } };
    const bytes = encodeText(canonicalJson(value), 5);
    expect(decodeObject(bytes)).to.deep.equal({ ...value, metadata: { ...value.metadata, resourceVersion: '5' } });
    expect(decodeObject(withRevision(bytes, 66))).to.have.nested.property('metadata.resourceVersion', '66');
    expect(textWithout(bytes)).to.equal(canonicalJson(value));
  });

  it('finds the metadata of the object itself behind members that have metadata of their own', () => {
    const names = [{}, { name: 'a' }, { resourceVersion: '7' }, { name: 'a', spec: confusing }];
    const texts = ['', '"', '\\', '\\"', '"metadata":{', '"metadata":{"resourceVersion":"8"', '{[', '}]'];
    for (const metadata of names) {
      for (const [i, text] of texts.entries()) {
        for (const data of [
          { metadata },
          { [text]: [text, { metadata }, { metadata }] },
          { n: BigInt(2 ** 60) + 1n, metadata },
        ]) {
          const value = { data, kind: text, metadata: { name: 'a' }, spec: { metadata } };
          const bytes = encodeText(textOfObject(value), i);
          const at = (revision: number): object => ({
            ...value,
            metadata: { name: 'a', resourceVersion: `${revision}` },
          });
          expect(decodeObject(bytes)).to.deep.equal(at(i));
          expect(revisionOf(bytes)).to.equal(i);
          expect(decodeObject(withRevision(bytes, 66))).to.deep.equal(at(66));
          expect(textWithout(bytes)).to.equal(textOfObject(value));
        }
      }
    }
  });

  it('gives equal text for equal objects with any order of keys', () => {
    expect(canonicalJson({ b: 1, a: { d: 1, c: 2 } })).to.equal(canonicalJson({ a: { c: 2, d: 1 }, b: 1 }));
  });

  it('refuses an object without metadata', () => {
    expect(() => encodeText('{"kind":"Test"}', 1)).to.throw(/without metadata/);
  });

  it('wraps bytes of any class without a copy', () => {
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    expect(asBuffer(bytes)).to.deep.equal(Buffer.from([2, 3]));
    expect(asBuffer(bytes).buffer).to.equal(bytes.buffer);
  });
});
