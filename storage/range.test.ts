import { expect } from 'chai';
import { behind, upTo } from './range.js';

const rows = ['a', 'b', 'b\0', 'bb', 'c'];
const forward = { index: 'byTag', from: 'a', to: 'c\0', limit: 10 };
const backward = { ...forward, reverse: true };

describe('a range of an index that is divided at a row', () => {
  const inside = ({ from, to }: { readonly from: string; readonly to: string }) =>
    rows.filter((row) => row >= from && row < to);

  it('has the row in the first part, and everything behind it in the rest', () => {
    expect(inside(upTo(forward, 'b'))).to.deep.equal(['a', 'b']);
    expect(inside(behind(forward, 'b'))).to.deep.equal(['b\0', 'bb', 'c']);
  });

  it('is divided the other way round if it is read in reverse', () => {
    expect(inside(upTo(backward, 'b'))).to.deep.equal(['b', 'b\0', 'bb', 'c']);
    expect(inside(behind(backward, 'b'))).to.deep.equal(['a']);
  });

  it('keeps what else the range says', () => {
    for (const part of [behind(backward, 'b'), upTo(backward, 'b')])
      expect(part).to.include({ index: 'byTag', reverse: true });
    for (const part of [behind(forward, 'b'), upTo(forward, 'b')]) expect(part).to.include({ index: 'byTag' });
  });
});
