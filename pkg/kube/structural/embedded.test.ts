import { expect } from 'chai';
import { type CoerceOptions, coerce, validateEmbedded } from './embedded.js';
import { compile } from './structural.js';

const structural = compile({
  type: 'object',
  properties: {
    template: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
});
const pod = (metadata: unknown, more: object = {}): object => ({
  template: { apiVersion: 'v1', kind: 'Pod', metadata, ...more },
});

function coerced(object: object, options?: CoerceOptions) {
  const { object: result, unknown, causes } = coerce(structural, object, options);
  return { result, unknown, told: causes.map(({ field, message }) => `${field}: ${message}`) };
}

describe('coerce', () => {
  it('drops what ObjectMeta lacks and what is empty, and writes times in UTC', () => {
    const metadata = {
      name: 'a',
      labels: {},
      bad: 1,
      creationTimestamp: null,
      deletionTimestamp: '2020-01-01T02:00:00.5+02:00',
    };
    expect(coerced(pod(metadata))).to.deep.equal({
      result: pod({ name: 'a', deletionTimestamp: '2020-01-01T00:00:00Z' }),
      unknown: ['template.metadata.bad'],
      told: [],
    });
  });

  it('returns the same object if nothing is different', () => {
    const object = pod({ name: 'a', labels: { a: 'b' } });
    expect(coerced(object).result).to.equal(object);
  });

  it('refuses metadata that Go could not read, in its words', () => {
    expect(coerced(pod({ labels: { a: 1 } })).told).to.deep.equal([
      'template.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ]);
    expect(coerced(pod({}, { kind: 1 })).told).to.deep.equal(['template.kind: Invalid value: 1: must be a string']);
  });

  it('drops what is malformed, if that is wanted', () => {
    const { result, told } = coerced(pod({ name: 'a', labels: 1 }, { kind: 1 }), { dropsInvalid: true });
    expect(result).to.deep.equal({ template: { apiVersion: 'v1', metadata: { name: 'a' } } });
    expect(told).to.deep.equal([]);
  });
});

describe('validateEmbedded', () => {
  const told = (object: unknown) =>
    validateEmbedded(structural, object).map(({ field, message }) => `${field}: ${message}`);

  it('wants an apiVersion and a kind, and no metadata', () => {
    expect(told({ template: {} })).to.deep.equal([
      'template.apiVersion: Required value',
      'template.kind: Required value',
    ]);
    expect(told({ template: { apiVersion: 'v1', kind: 'Pod' } })).to.deep.equal([]);
  });

  it('checks names, labels and owners as those of a resource', () => {
    expect(
      told(pod({ name: 'a/b', namespace: 'A', labels: { a: '-' } })).map((line) => line.split(':')[0]),
    ).to.deep.equal(['template.metadata.name', 'template.metadata.namespace', 'template.metadata.labels']);
  });
});
