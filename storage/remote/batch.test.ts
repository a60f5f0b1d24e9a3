import { expect } from 'chai';
import type { Batch } from '../backend.js';
import { key } from '../testing/backend/fixture.js';
import { decodeBatch, encodeBatch } from './batch.js';

describe('remote: batch', () => {
  it('arrives as it was sent: creations, changes and deletions, with rows and counters', () => {
    const [a, b, c] = [key('a'), key('b'), key('c')];
    const previous = { key: b, revision: 3, value: Buffer.from('old') };
    const batch: Batch = {
      commit: 'the-commit',
      changes: [
        { key: a, revision: 8, value: Buffer.from('ä'), rows: [{ index: 'i', tuple: 't' }] },
        { key: b, revision: 9, value: Buffer.alloc(0), previous, rows: [{ index: 'i', tuple: 't u', counted: 't' }] },
        { key: c, revision: 10, previous: { ...previous, key: c }, rows: [] },
      ],
      counters: new Map([['folders', 12]]),
    };
    expect(decodeBatch(encodeBatch(batch), 7)).to.deep.equal(batch);
  });

  it('has no rows if none were sent', () => {
    const change = { key: key('a'), revision: 1, value: Buffer.from('1') };
    const sent = encodeBatch({ commit: 'c', changes: [change], counters: new Map() });
    expect(decodeBatch(sent, 0).changes).to.deep.equal([{ ...change, rows: [] }]);
  });
});
