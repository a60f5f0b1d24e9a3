import { expect } from 'chai';
import { warningsIn } from './warning-header.js';

describe('the warnings of an answer', () => {
  const textsIn = (headers: readonly string[]) =>
    headers.flatMap((header) => warningsIn(header).map(({ text }) => text));

  it('are its texts, each once for each header, also if a proxy joined them', () => {
    expect(textsIn(['299 - "one"', '299 - "say \\"two\\" \\u00fc", 299 x "three"'])).to.deep.equal([
      'one',
      'say "two" ü',
      'three',
    ]);
  });

  it('are shown as they are if their escapes are unknown, and left out if they are none', () => {
    expect(textsIn(['299 - "a \\q"', 'hello', '299 - "open'])).to.deep.equal(['a \\q']);
  });

  it('have a code and an agent', () => {
    expect(warningsIn('110 cache "old"')).to.deep.equal([{ code: '110', agent: 'cache', text: 'old' }]);
  });
});
