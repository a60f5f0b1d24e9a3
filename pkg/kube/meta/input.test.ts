import { expect } from 'chai';
import { ObjectMetaInput } from './input.js';
import type { ObjectMeta } from './types.js';

const issues = (value: unknown): string[] => {
  const result = ObjectMetaInput.safeParse(value);
  return result.success ? [] : result.error.issues.map(({ code, path }) => `${code} ${path.join('.')}`);
};

describe('ObjectMetaInput', () => {
  it('reads metadata', () => {
    const metadata: ObjectMeta = {
      name: 'a',
      labels: { a: 'b' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', controller: true }],
      managedFields: [
        { manager: 'kubectl', operation: 'Apply', time: '2026-11-21T11:00:00Z', fieldsV1: { 'f:spec': {} } },
      ],
    };
    const parsed: ObjectMeta = ObjectMetaInput.parse(metadata);
    expect(parsed).to.deep.equal(metadata);
  });

  it("treats null as absent, as Go's clients send it, and an absent name as empty", () => {
    const parsed = ObjectMetaInput.parse({
      generateName: 'a-',
      creationTimestamp: null,
      labels: null,
      finalizers: null,
    });
    expect(parsed).to.deep.equal({ name: '', generateName: 'a-' });
    expect(Object.keys(parsed)).to.have.members(['name', 'generateName']);
  });

  it('reports unknown fields, also in owners and managed fields', () => {
    expect(issues({ name: 'a', colour: 'red' })).to.deep.equal(['unrecognized_keys ']);
    expect(issues({ ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', x: 1 }] })).to.deep.equal([
      'unrecognized_keys ownerReferences.0',
    ]);
    expect(issues({ managedFields: [{ x: 1 }] })).to.deep.equal(['unrecognized_keys managedFields.0']);
  });

  it('reports wrong types with their path', () => {
    expect(issues({ name: 3, labels: { a: 1 }, finalizers: 'x', creationTimestamp: 'yesterday' })).to.have.members([
      'invalid_type name',
      'invalid_type labels.a',
      'invalid_type finalizers',
      'invalid_format creationTimestamp',
    ]);
  });
});
