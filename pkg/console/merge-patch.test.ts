import { expect } from 'chai';
import { mergePatch } from '../kube/patch/merge.js';
import { patchOf, replacing } from './client/pages/sets/merge-patch.js';

describe('a patch that puts fields back', () => {
  const left = (wanted: unknown, now: unknown): unknown => mergePatch({ a: now }, { a: replacing(wanted, now) });

  it('leaves exactly what is wanted, also where somebody has added members', () => {
    for (const [wanted, now] of [
      ['old', 'new'],
      [{ x: 1 }, { x: 2, y: 3 }],
      [{ x: { y: [1] } }, { x: { y: [2], z: {} }, more: { a: 1 } }],
      [{}, { x: 1 }],
      [{ x: 1 }, [1, 2]],
      [[{ x: 1 }], [{ x: 1, y: 2 }]],
      [{ constructor: 'own' }, {}],
    ])
      expect(left(wanted, now)).to.deep.equal({ a: wanted });
    expect(left(undefined, { x: 1 })).to.deep.equal({});
  });

  it('is about these fields, and holds for one version', () => {
    const fields = [
      { path: ['spec', 'title'], applied: 'old', now: 'new' },
      { path: ['metadata', 'labels', 'team'], applied: undefined, now: 'x' },
    ];
    expect(patchOf(fields, '7')).to.deep.equal({
      metadata: { resourceVersion: '7', labels: { team: null } },
      spec: { title: 'old' },
    });
  });
});
