import { expect } from 'chai';
import type { Batch } from '../backend.js';
import { key } from '../testing/backend/fixture.js';
import { decodeBatch, encodeBatch } from './batch.js';

describe('remote: batch', () => {
  it('arrives as it was sent: creations, changes and deletions, with counters', () => {
    const [a, b, c] = [key('a'), key('b'), key('c')];
    const previous = { key: b, revision: 3, value: Buffer.from('old') };
    const batch: Batch = {
      commitId: 'the-commit',
      changes: [
        { key: a, revision: 8, value: Buffer.from('ä') },
        { key: b, revision: 9, value: Buffer.alloc(0), previous },
        { key: c, revision: 10, previous: { ...previous, key: c } },
      ],
      counters: new Map([['folders', 12]]),
    };
    expect(decodeBatch(encodeBatch(batch), 7)).to.deep.equal(batch);
  });
});
