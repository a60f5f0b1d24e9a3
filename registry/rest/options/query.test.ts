import { expect } from 'chai';
import { parseBoolean } from './query.js';

const parsed = (query: string) => parseBoolean(new URLSearchParams(query), 'watch');

describe('a boolean query parameter', () => {
  it('is undefined if it is absent', () => {
    expect(parsed('limit=1')).to.equal(undefined);
  });

  it('is false for 0 and false, in any case', () => {
    for (const text of ['0', 'false', 'False', 'FALSE']) expect(parsed(`watch=${text}`), text).to.equal(false);
  });

  // Promise: contract 3.4
  it('is true for everything else', () => {
    for (const text of ['', '1', 'true', 'True', 'TRUE', 'yes', '00'])
      expect(parsed(`watch=${text}`), text).to.equal(true);
  });
});
