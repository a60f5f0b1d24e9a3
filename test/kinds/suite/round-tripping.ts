import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import { runs } from '../../../pkg/system/testing/runs.js';
import { accepted, bodyOf } from '../../harness/resource.js';
import { anyText, jsonSchemaOf, valuesOf } from './arbitrary.js';
import { annotationsOf, objectOf, type Subject, specOf } from './subject.js';

/** Random cases for each kind and store. */
const RUNS = runs(25);

export function roundTripping(subject: Subject): void {
  const { resource, examples, kind, answers } = subject;
  const keep = async (body: unknown, name: string): Promise<string> => {
    const created = accepted(await resource.create(body), 201);
    const read = accepted(await resource.get(name), 200);
    expect(read.text).to.equal(created.text);
    accepted(await resource.remove(name), 200);
    return read.text;
  };

  const { spec: schema = z.unknown() } = kind;

  describe('round trip', () => {
    it('stores every spec that the schema allows unchanged', async function fuzz() {
      this.timeout(120_000);
      await fc.assert(
        fc.asyncProperty(valuesOf(jsonSchemaOf(schema)), async (drawn) => {
          const name = subject.name();
          const minimal = specOf(examples.minimal, name);
          const fixed = Object.fromEntries((examples.fixed ?? []).map((member) => [member, minimal[member]]));
          const spec = { ...(drawn as object), ...fixed };
          fc.pre(isAllowed(spec));
          const parsed = schema.safeParse(spec);
          fc.pre(parsed.success);
          const object = objectOf(subject, { ...examples.minimal, spec }, name);
          const answer = await resource.create(object);
          // A rule of the kind may refuse a spec that the schema allows.
          expect(answer.status, answer.text).to.be.oneOf([201, answers.invalid]);
          fc.pre(answer.status === 201);
          accepted(await resource.remove(name), 200);
          const stored = answer.json().spec as Readonly<Record<string, unknown>>;
          const added = Object.entries(stored).filter(([member]) => examples.kept?.includes(member));
          const expected = { ...Object.fromEntries(added), ...(parsed.data as object) };
          expect(canonicalJson(stored)).to.equal(canonicalJson(expected));
        }),
        { numRuns: RUNS },
      );
    });

    it('stores any text in annotations and free text unchanged', async function fuzz() {
      this.timeout(120_000);
      await fc.assert(
        fc.asyncProperty(anyText(), async (text) => {
          const name = subject.name();
          const object = objectOf(subject, examples.full, name);
          const annotations = { ...annotationsOf(subject), 'example.com/text': text };
          const body = examples.freeText.reduce<unknown>(
            (at, pointer) => withValue(at, pointer.split('/').slice(1), text),
            { ...object, metadata: { name, annotations } },
          );
          const kept = JSON.parse(await keep(body, name));
          expect(kept.metadata.annotations['example.com/text']).to.equal(text);
          for (const pointer of examples.freeText) expect(valueAt(kept, pointer)).to.equal(text);
        }),
        { numRuns: RUNS, examples: NASTY_TEXTS.map((text): [string] => [text]) },
      );
    });

    for (const pointer of examples.freeJson) {
      it(`stores any JSON at ${pointer} unchanged`, async function fuzz() {
        this.timeout(120_000);
        await fc.assert(
          fc.asyncProperty(anyObject, async (value) => {
            const name = subject.name();
            const body = withValue(objectOf(subject, examples.full, name), pointer.split('/').slice(1), value);
            const kept = JSON.parse(await keep(body, name));
            expect(canonicalJson(valueAt(kept, pointer))).to.equal(canonicalJson(value));
          }),
          { numRuns: RUNS, examples: NASTY_JSON.map((value): [Record<string, never>] => [value as never]) },
        );
      });
    }

    it('stores texts with a special meaning in other systems unchanged', async () => {
      const keys = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'valueOf'];
      const name = subject.name();
      const labels = Object.fromEntries(keys.map((key) => [key, 'kept']));
      const annotations = {
        ...annotationsOf(subject),
        ...labels,
        'example.com/id': '$ref',
        'example.com/x': '{"$oid":"1"}',
      };
      const object = objectOf(subject, examples.minimal, name);
      const { metadata } = bodyOf(await resource.create({ ...object, metadata: { name, labels, annotations } }), 201);
      expect(metadata.labels).to.include(labels);
      expect(metadata.annotations).to.include(annotations);
      const query = { labelSelector: 'constructor=kept,hasOwnProperty' };
      const list = bodyOf(await resource.list({ query }), 200);
      expect(list.items.map((item) => item.metadata.name)).to.deep.equal([name]);
    });
  });
}

const NASTY_TEXTS = [
  '\u0000',
  '\ud800 alone',
  '"metadata":{"resourceVersion":"1"',
  '\u2028\u2029\ufeff',
  '\\u0000\\',
  '😀',
  'e\u0301',
  '$ref',
  '\r\n',
];
const NASTY_JSON: readonly unknown[] = [
  { $ref: '#', $id: 1, _bsontype: 'ObjectId', 'a.b': 1, '$a.b': 1, '': 0, constructor: 1, '9': 1, '10': 2 },
  { n: -0.1, e: 1e300, tiny: 5e-324, list: [], map: {}, nothing: null, no: false, deep: [[[[[[{}]]]]]] },
  { '\u0000': '\u0000', '"metadata":{"resourceVersion":"': 1 },
];

/** The decoder refuses `__proto__`. */
const isAllowed = (value: unknown): boolean => !JSON.stringify(value).includes('__proto__');

const anyObject = fc.dictionary(fc.string(), fc.jsonValue()).filter(isAllowed);

function withValue(at: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(at)) return at.with(Number(step), withValue(at[Number(step)], rest, value));
  const object = (at ?? {}) as Record<string, unknown>;
  return { ...object, [step]: withValue(object[step], rest, value) };
}

function valueAt(object: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], object);
}
