import { expect } from 'chai';
import { printable, printableLines } from './printable.js';

describe('a text for a terminal', () => {
  it('has escapes in place of characters that are commands, are not shown, or turn others around', () => {
    expect(printable('a\u001b[2Jb\u202ec\u200bd\u2028e\u{e0001}')).to.equal(
      'a\\u001b[2Jb\\u202ec\\u200bd\\u2028e\\udb40\\udc01',
    );
    expect(printable('Grüße 世界 🎉')).to.equal('Grüße 世界 🎉');
  });

  it('keeps its lines if it may have several', () => {
    expect(printableLines('a\nb\r\u001b')).to.equal('a\nb\\u000d\\u001b');
    expect(printable('a\nb')).to.equal('a\\u000ab');
  });
});
