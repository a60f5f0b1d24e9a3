import { expect } from 'chai';
import { type ApiResource, byStability, groupsOf } from './resource.js';

const resource = (group: string, version: string, plural: string, more: Partial<ApiResource> = {}): ApiResource => ({
  group,
  version,
  resource: plural,
  singular: plural.slice(0, -1),
  kind: plural,
  scope: 'Namespaced',
  verbs: ['get'],
  ...more,
});

describe('groupsOf', () => {
  // Promise: contract 1.1
  it('keeps groups in the order of the list and prefers the most stable version', () => {
    const groups = groupsOf([resource('b', 'v1beta1', 'xs'), resource('a', 'v1', 'ys'), resource('b', 'v1', 'xs')]);
    expect(groups.map(({ name, versions }) => [name, versions.map((version) => version.groupVersion)])).to.deep.equal([
      ['b', ['b/v1', 'b/v1beta1']],
      ['a', ['a/v1']],
    ]);
  });

  it('leaves out resources that are not served', () => {
    expect(groupsOf([resource('a', 'v1', 'xs', { served: false })])).to.deep.equal([]);
  });

  it('refuses a resource that is listed twice', () => {
    expect(() => groupsOf([resource('a', 'v1', 'xs'), resource('a', 'v1', 'xs')])).to.throw('a/v1/xs is defined twice');
  });

  it('names the versions of the core group without a group', () => {
    expect(groupsOf([resource('', 'v1', 'xs')])[0]?.versions[0]?.groupVersion).to.equal('v1');
  });
});

describe('byStability', () => {
  it('sorts stable versions first, then beta, then alpha, then all others', () => {
    const sorted = ['foo', 'v1alpha1', 'v2beta1', 'v1', 'v11alpha2', 'v1beta2', 'v10', 'v2'].sort(byStability);
    expect(sorted).to.deep.equal(['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v11alpha2', 'v1alpha1', 'foo']);
  });
});
