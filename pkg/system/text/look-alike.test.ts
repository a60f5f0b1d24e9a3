import { expect } from 'chai';
import { hasHidden, hasHiddenBesideJoiners, skeleton } from './look-alike.js';

describe('an identifier that looks like another one', () => {
  it('has characters that are not shown', () => {
    for (const code of [
      0xad, 0xfe0f, 0x200b, 0x202e, 0x2066, 0x61c, 0x7f, 0xe000, 0x378, 0x2028, 0xe0041, 0x3164, 0x200d,
    ])
      expect(hasHidden(`admin${String.fromCodePoint(code)}`), code.toString(16)).to.equal(true);
    for (const text of ['admin', 'ann@example.com', 'Ünïcode', '李雷', 'Анна', 'a b'])
      expect(hasHidden(text)).to.equal(false);
  });

  it('may have joiners if it is a text for people', () => {
    expect(hasHiddenBesideJoiners('👩\u200d🚀 \u2764\ufe0f \u0645\u06cc\u200c\u062e')).to.equal(false);
    expect(hasHiddenBesideJoiners('Ann\u202e')).to.equal(true);
  });

  it('has the same skeleton', () => {
    for (const text of [
      'аdmin',
      'аԁміn',
      'ADMIN',
      'ＡＤＭＩＮ',
      'αdmin',
      'adm\u0131n',
      'ad\u00admin',
      '𝐚𝐝𝐦𝐢𝐧',
      'aԁmiո',
      'ꓮꓓmin',
    ])
      expect(skeleton(text), text).to.equal('admin');
    expect(['andré', 'ann1', 'annl', 'søren', 'łukasz'].map(skeleton)).to.deep.equal([
      'andré',
      'ann1',
      'annl',
      'søren',
      'łukasz',
    ]);
  });
});
