import { expect } from 'chai';
import { runSteps } from '../../../pkg/system/yielding/steps.js';
import { strategicPatch } from './strategic-patch.js';

type Metadata = Readonly<Record<string, unknown>>;

const owner = (uid: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'Secret', name: 'n', uid, ...more });
const owners = (...uids: readonly string[]): Metadata => ({ ownerReferences: uids.map((uid) => owner(uid)) });
const finalizers = (...names: readonly string[]): Metadata => ({ finalizers: names });
const uids = (...names: readonly string[]): readonly Metadata[] => names.map((uid) => ({ uid }));
const gone = (uid: string): Metadata => ({ $patch: 'delete', uid });
const REMOVED = '$deleteFromPrimitiveList/finalizers';
const ORDER = '$setElementOrder/finalizers';
const ORDER_OF_OWNERS = '$setElementOrder/ownerReferences';

/** What is promised, the metadata, the patch of it, and what apimachinery v0.37.2 makes of both. */
const CASES: readonly (readonly [string, Metadata, Metadata, Metadata])[] = [
  ['adds finalizers to those that are there', finalizers('a', 'b'), finalizers('c', 'a'), finalizers('c', 'a', 'b')],
  [
    'keeps the places of finalizers that are there',
    finalizers('a', 'b', 'c'),
    finalizers('c', 'n'),
    finalizers('a', 'b', 'c', 'n'),
  ],
  ['sets finalizers if there are none', {}, finalizers('b', 'a'), finalizers('b', 'a')],
  ['keeps finalizers that an empty list leaves out', finalizers('a'), finalizers(), finalizers('a')],
  [
    // Promise: contract 5.3
    'puts finalizers in order, and those of others among them',
    finalizers('a', 's', 'b'),
    { ...finalizers('b', 'c', 'a'), [ORDER]: ['b', 'c', 'a'] },
    finalizers('s', 'b', 'c', 'a'),
  ],
  ['only changes the order', finalizers('a', 's', 'b'), { [ORDER]: ['b', 'a'] }, finalizers('s', 'b', 'a')],
  ['has nothing to put in order if there is no list', {}, { [ORDER]: ['b', 'a'] }, {}],
  [
    'replaces one finalizer, and keeps those of others',
    finalizers('a', 's'),
    { ...finalizers('b'), [REMOVED]: ['a'], [ORDER]: ['b'] },
    finalizers('b', 's'),
  ],
  ['removes only finalizers that are there', finalizers('a'), { [REMOVED]: ['z'] }, finalizers('a')],
  ['removes all finalizers by null', finalizers('a'), { finalizers: null }, {}],
  [
    'merges owners by uid, member by member',
    { ownerReferences: [owner('a', { controller: true, blockOwnerDeletion: true }), owner('b')] },
    { ownerReferences: [{ uid: 'b', name: 'm' }, owner('c'), { uid: 'a', controller: null }] },
    { ownerReferences: [owner('b', { name: 'm' }), owner('c'), owner('a', { blockOwnerDeletion: true })] },
  ],
  ['deletes owners', owners('a', 'b'), { ownerReferences: [gone('a'), gone('z')] }, owners('b')],
  [
    'gives the place of a deleted owner to a new one',
    owners('a', 's'),
    { ownerReferences: [gone('a'), owner('b')], [ORDER_OF_OWNERS]: uids('b') },
    owners('s', 'b'),
  ],
  ['replaces all owners', owners('a', 'b'), { ownerReferences: [{ $patch: 'replace' }, owner('c')] }, owners('c')],
  ['sets owners if there are none', {}, { ownerReferences: [gone('a'), owner('c')] }, owners('c')],
  ['puts owners in order', owners('a', 's', 'b'), { [ORDER_OF_OWNERS]: uids('b', 'a') }, owners('s', 'b', 'a')],
  ['removes all owners by null', owners('a'), { ownerReferences: null }, {}],
  [
    'takes any text for a uid',
    owners('constructor'),
    { ownerReferences: [owner('__proto__'), { uid: 'constructor', name: 'm' }] },
    { ownerReferences: [owner('__proto__'), owner('constructor', { name: 'm' })] },
  ],
];

describe('a strategic merge patch of the metadata', () => {
  for (const [promise, old, patch, expected] of CASES)
    it(promise, () => {
      const before = structuredClone({ old, patch });
      expect(runSteps(strategicPatch({ metadata: patch })({ metadata: old }))).to.deep.equal({ metadata: expected });
      expect({ old, patch }).to.deep.equal(before);
    });

  it('merges other members as a merge patch does, and replaces other lists', () => {
    const old = { list: [1], metadata: { labels: { a: '1', b: '2' }, ...finalizers('a') } };
    const patch = { list: [2], metadata: { labels: { a: null }, ...finalizers('b') } };
    const expected = { list: [2], metadata: { labels: { b: '2' }, ...finalizers('b', 'a') } };
    expect(runSteps(strategicPatch(patch)(old))).to.deep.equal(expected);
    expect(runSteps(strategicPatch({ metadata: null })(old))).to.deep.equal({ list: [1] });
    expect(runSteps(strategicPatch({ metadata: finalizers('b') })({}))).to.deep.equal({ metadata: finalizers('b') });
  });

  it('sets no prototype', () => {
    const patch = JSON.parse('{"__proto__":{"x":1},"metadata":{"__proto__":{"x":1},"finalizers":["b"]}}') as Metadata;
    const patched = runSteps(strategicPatch(patch)({ metadata: finalizers('a') })) as { readonly metadata: Metadata };
    for (const object of [patched, patched.metadata]) expect(Object.getPrototypeOf(object)).to.equal(Object.prototype);
    expect(patched.metadata['finalizers']).to.deep.equal(['b', 'a']);
  });
});
