import { expect } from 'chai';
import { madePassword } from './made-password.js';

describe('a password that the server makes', () => {
  it('can be typed, and is as long as the rules demand', () => {
    expect(madePassword(4)).to.match(/^[a-km-np-z2-9]{5}(-[a-km-np-z2-9]{5}){3}$/);
    for (const least of [22, 23, 24, 60, 128]) expect(madePassword(least).length, String(least)).to.be.at.least(least);
    expect(new Set(Array.from({ length: 50 }, () => madePassword(4))).size).to.equal(50);
  });
});
