import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import {
  FOREGROUND,
  finalizersFor,
  finalizersOf,
  isFinalizedByCollector,
  ORPHAN,
  type Propagation,
  withFinalizers,
} from './propagation.js';

const held = (...finalizers: readonly string[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', resourceVersion: '7', labels: { a: 'b' }, ...(finalizers.length > 0 && { finalizers }) },
});

describe('the finalizers of an object that is to be deleted', () => {
  const finalizers = (policy: Propagation | undefined, before: readonly string[], hasDependents = true) =>
    finalizersFor(held(...before), policy, () => hasDependents);

  it('are those that it has, if there is no policy', () => {
    const object = held(FOREGROUND, 'x/y');
    expect(finalizersFor(object, undefined, () => true)).to.equal(object.metadata.finalizers);
    expect(finalizers(undefined, [])).to.deep.equal([]);
  });

  it('are also that of the policy, if the object has dependents', () => {
    expect(finalizers('Foreground', ['x/y'])).to.deep.equal(['x/y', FOREGROUND]);
    expect(finalizers('Orphan', [])).to.deep.equal([ORPHAN]);
    expect(finalizers('Background', ['x/y'])).to.deep.equal(['x/y']);
    expect(finalizers('Foreground', ['x/y'], false)).to.deep.equal(['x/y']);
    expect(finalizers('Orphan', [], false)).to.deep.equal([]);
  });

  it('are not those of another policy that was set before', () => {
    expect(finalizers('Foreground', [ORPHAN, 'x/y'])).to.deep.equal(['x/y', FOREGROUND]);
    expect(finalizers('Orphan', [FOREGROUND])).to.deep.equal([ORPHAN]);
    expect(finalizers('Background', [FOREGROUND, ORPHAN, 'x/y'])).to.deep.equal(['x/y']);
    expect(finalizers('Orphan', [FOREGROUND], false)).to.deep.equal([]);
  });

  it('stay as they are if the one of the policy is there, whether or not there are dependents', () => {
    const object = held('x/y', FOREGROUND);
    expect(finalizersFor(object, 'Foreground', () => false)).to.equal(object.metadata.finalizers);
    const other = held('x/y');
    expect(finalizersFor(other, 'Background', () => false)).to.equal(other.metadata.finalizers);
  });
});

describe('finalizers', () => {
  it('are none if an object has no list', () => {
    expect(finalizersOf(held())).to.deep.equal([]);
    expect(finalizersOf(held('x/y'))).to.deep.equal(['x/y']);
  });

  it('of the collector are two', () => {
    expect(
      [[FOREGROUND], ['x/y', ORPHAN], ['x/y'], []].map((all) => isFinalizedByCollector(held(...all))),
    ).to.deep.equal([true, true, false, false]);
  });

  it('replace those of an object, without its version, and an empty list is left out', () => {
    expect(withFinalizers(held('x/y'), ['a/b']).metadata).to.deep.equal({
      name: 'a',
      labels: { a: 'b' },
      finalizers: ['a/b'],
    });
    expect(withFinalizers(held('x/y'), []).metadata).to.deep.equal({ name: 'a', labels: { a: 'b' } });
  });
});
