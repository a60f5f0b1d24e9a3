import { expect } from 'chai';
import fc from 'fast-check';
import { SealBroken, sealer } from './seal.js';

describe('sealer', () => {
  const one = sealer('secret one');

  it('returns the sealed text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, context) => one.unseal(one.seal(text, context), context) === text),
    );
  });

  it('seals the same text differently each time', () => {
    expect(one.seal('text', 'a')).not.to.equal(one.seal('text', 'a'));
  });

  it('refuses another key, another context and changed text', () => {
    const sealed = one.seal('text', 'a');
    expect(() => sealer('secret two').unseal(sealed, 'a')).to.throw(SealBroken);
    expect(() => one.unseal(sealed, 'b')).to.throw(SealBroken);
    fc.assert(
      fc.property(fc.nat({ max: sealed.length - 4 }), (at) => {
        const index = at + 3;
        const other = sealed[index] === 'A' ? 'B' : 'A';
        const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
        // The last character of base64url may have bits that belong to no byte.
        if (Buffer.from(changed, 'base64url').equals(Buffer.from(sealed, 'base64url'))) return;
        expect(() => one.unseal(changed, 'a')).to.throw(SealBroken);
      }),
    );
  });

  it('refuses text that was never sealed', () => {
    for (const text of ['', 'v1:', 'rubbish', 'v1:AAAA']) expect(() => one.unseal(text, 'a')).to.throw(SealBroken);
  });
});
