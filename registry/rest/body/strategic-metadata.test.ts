import { expect } from 'chai';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { strategicPatch } from './strategic-patch.js';

const owner = (uid: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'Secret', name: 'n', uid, ...more });
const owners = (...uids: readonly string[]) => ({ ownerReferences: uids.map((uid) => owner(uid)) });
const finalizers = (...names: readonly string[]) => ({ finalizers: names });
const gone = (uid: string) => ({ $patch: 'delete', uid });
const REMOVED = '$deleteFromPrimitiveList/finalizers';
const ORDER = '$setElementOrder/finalizers';
const ORDER_OF_OWNERS = '$setElementOrder/ownerReferences';

const refusal = (patch: Readonly<Record<string, unknown>>): string => {
  try {
    strategicPatch(patch);
  } catch (error) {
    if (error instanceof ApiError && error.code === 400) return error.message;
    throw error;
  }
  return 'none';
};

describe('a strategic merge patch of the metadata', () => {
  // Promise: contract 5.3
  it('is refused with all other directives', () => {
    for (const [directive, patch] of [
      ['$patch', { metadata: { $patch: 'replace' } }],
      ['$patch', { metadata: { ownerReferences: [{ $patch: 'merge', uid: 'a' }] } }],
      ['$patch', { metadata: { ownerReferences: [owner('a', { more: { $patch: 'delete' } })] } }],
      ['$retainKeys', { metadata: { ownerReferences: [{ ...gone('a'), $retainKeys: [] }] } }],
      ['$retainKeys', { metadata: { ...finalizers('a'), $retainKeys: ['finalizers'] } }],
      [ORDER, { [ORDER]: [] }],
      ['$deleteFromPrimitiveList/ownerReferences', { metadata: { '$deleteFromPrimitiveList/ownerReferences': [] } }],
    ] as const)
      expect(refusal(patch), JSON.stringify(patch)).to.equal(
        `the directive ${directive} of strategic merge patches is not supported`,
      );
  });

  it('is refused if a list or an element is none', () => {
    const what = 'of a strategic merge patch must be a list of';
    for (const [metadata, message] of [
      [{ finalizers: ['a', { $patch: 'replace' }] }, `metadata.finalizers ${what} strings`],
      [{ finalizers: null, [ORDER]: ['a'] }, `metadata.finalizers ${what} strings`],
      [{ [REMOVED]: null }, `metadata.${REMOVED} ${what} strings`],
      [{ [ORDER]: 'a' }, `metadata.${ORDER} ${what} strings`],
      [{ ownerReferences: [{ name: 'n' }] }, `metadata.ownerReferences ${what} objects with a uid`],
      [{ ownerReferences: [{ $patch: 'delete' }] }, `metadata.ownerReferences ${what} objects with a uid`],
      [{ [ORDER_OF_OWNERS]: ['a'] }, `metadata.${ORDER_OF_OWNERS} ${what} objects with a uid`],
    ] as const)
      expect(refusal({ metadata }), JSON.stringify(metadata)).to.equal(message);
  });

  // Promise: contract 5.3
  it('is refused if the order lacks an element, or has it in another place', () => {
    const message = (list: string): string =>
      `metadata.$setElementOrder/${list} of a strategic merge patch must have all elements of metadata.${list}, in the same order`;
    for (const order of [[], ['a'], ['b', 'a']])
      expect(refusal({ metadata: { ...finalizers('a', 'b'), [ORDER]: order } })).to.equal(message('finalizers'));
    const metadata = { ...owners('a', 'b'), [ORDER_OF_OWNERS]: [{ uid: 'b' }, { uid: 'a' }] };
    expect(refusal({ metadata })).to.equal(message('ownerReferences'));
    expect(refusal({ metadata: { ...finalizers('a', 'b'), [ORDER]: ['c', 'a', 'd', 'b'] } })).to.equal('none');
  });

  // Promise: contract 5.3
  it('is refused if it names an owner twice', () => {
    expect(refusal({ metadata: owners('a', 'a') })).to.include('must have each uid once');
    expect(refusal({ metadata: { ownerReferences: [gone('a'), owner('a')] } })).to.equal('none');
  });
});
