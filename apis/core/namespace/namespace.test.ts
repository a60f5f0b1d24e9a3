import { expect } from 'chai';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { ownedKeys } from '../../../registry/kinds/owned-keys.js';
import { NAME_LABEL, namespaceOf, organizationOf } from './conversion.js';
import { adviceOnNamespace } from './strategy.js';

const ENVIRONMENT = { domain: 'example.com' };
const sent = (metadata: object, spec: unknown = {}) =>
  ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', ...metadata }, spec }) as KubeObject;
const stored = (metadata: object, spec: unknown = {}) => organizationOf(sent(metadata, spec), ENVIRONMENT);

describe('a Namespace as an Organization', () => {
  it('has no spec, and not the label with its name', () => {
    const type = { apiVersion: 'iam.example.com/v1beta1', kind: 'Organization' };
    expect(stored({ uid: 'u' })).to.deep.equal({ ...type, metadata: { name: 'a', uid: 'u' } });
    expect(stored({ labels: { [NAME_LABEL]: 'a', b: 'c' } }).metadata).to.deep.equal({ name: 'a', labels: { b: 'c' } });
    expect(stored({ labels: { [NAME_LABEL]: 'a' } }).metadata).to.deep.equal({ name: 'a' });
    const labels = { b: 'c' };
    expect(stored({ labels }).metadata.labels).to.equal(labels);
  });

  it('is made of what a client applies, whatever is null or of the wrong type in it', () => {
    for (const labels of [null, 'x', [NAME_LABEL]]) expect(stored({ labels }).metadata.labels).to.equal(labels);
    for (const spec of [undefined, null, 'x', {}, { finalizers: null }, { finalizers: 'x' }, { finalizers: [] }])
      expect(stored({}, spec)).to.not.have.property('spec');
  });

  it('is refused with finalizers of others, of any type and length', () => {
    expect(stored({}, { finalizers: ['kubernetes', 'kubernetes'] })).to.not.have.property('spec');
    for (const other of ['example.com/x', 1, null, { a: 1 }, 'x'.repeat(10_000)]) {
      const refused = () => stored({}, { finalizers: ['kubernetes', other] });
      expect(refused).to.throw(ApiError, /^Namespace "a" is invalid: spec\.finalizers: Unsupported value: .{1,300}$/);
    }
  });
});

describe('an Organization as a Namespace', () => {
  it('has a label with its name, and a phase, and nothing else that only the server sets', () => {
    const shown = (metadata: object) =>
      namespaceOf({ ...sent(metadata), spec: { title: 'A' } }, ownedKeys(ENVIRONMENT.domain));
    expect(shown({ labels: { b: 'c', [NAME_LABEL]: 'x' } })).to.deep.equal({
      ...sent({ labels: { b: 'c', [NAME_LABEL]: 'a' } }),
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const [annotations, labels] = [{ 'example.com/createdBy': 'user:x' }, { 'example.com/deprecatedInternalID': '1' }];
    expect(shown({ annotations, labels }).metadata).to.deep.equal({ name: 'a', labels: { [NAME_LABEL]: 'a' } });
    expect(shown({ annotations: { ...annotations, b: 'c' } }).metadata.annotations).to.deep.equal({ b: 'c' });
    expect(shown({ deletionTimestamp: '2026-01-01T00:00:00Z' }).status).to.deep.equal({ phase: 'Terminating' });
  });
});

describe('the advice on a Namespace', () => {
  const advice = (metadata: object, spec: unknown = {}) => adviceOnNamespace(sent(metadata, spec) as never);

  it('is given on another value of the label, and on finalizers that are left out', () => {
    expect(advice({ labels: { [NAME_LABEL]: 'b' } })).to.have.length(1);
    expect(advice({}, { finalizers: [] })).to.have.length(1);
  });

  it('is not given on what is as the server sets it, or absent', () => {
    for (const labels of [undefined, null, {}, { b: 'c' }, { [NAME_LABEL]: 'a' }])
      expect(advice({ labels })).to.deep.equal([]);
    for (const spec of [undefined, null, {}, { finalizers: null }, { finalizers: ['kubernetes'] }])
      expect(advice({}, spec)).to.deep.equal([]);
  });
});
