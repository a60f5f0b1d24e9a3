import { expect } from 'chai';
import { warningsIn } from './warnings.js';

describe('the warnings of an answer', () => {
  it('are its texts, each once for each header, also if a proxy joined them', () => {
    expect(warningsIn(['299 - "one"', '299 - "say \\"two\\" \\u00fc", 299 x "three"'])).to.deep.equal([
      'one',
      'say "two" ü',
      'three',
    ]);
  });

  it('are shown as they are if their escapes are unknown, and left out if they are none', () => {
    expect(warningsIn(['299 - "a \\q"', 'hello', '299 - "open'])).to.deep.equal(['a \\q']);
  });
});
