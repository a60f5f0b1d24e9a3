import { expect } from 'chai';
import { LiveList } from './live-list.js';

describe('LiveList', () => {
  it('has the values that were added and not removed, in order', () => {
    const list = new LiveList<string>();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((value) => list.add(value));
    expect([...list]).to.deep.equal(['a', 'b', 'c', 'd']);
    b?.();
    b?.();
    expect([[...list], list.size]).to.deep.equal([['a', 'c', 'd'], 3]);
    a?.();
    d?.();
    list.add('e');
    expect([...list]).to.deep.equal(['c', 'e']);
    c?.();
    expect([[...list], list.size]).to.deep.equal([['e'], 1]);
  });

  it('lets values leave during an iteration', () => {
    const list = new LiveList<() => void>();
    const removes = [1, 2, 3].map(() => list.add(() => undefined));
    let seen = 0;
    for (const _ of list) {
      seen++;
      for (const remove of removes) remove();
    }
    expect([seen, list.size]).to.deep.equal([3, 0]);
  });
});
