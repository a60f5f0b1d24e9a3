import { expect } from 'chai';
import { ColdEntry } from '../storage/testing/cold-entry.js';
import { readable, Unready } from './unready.js';

describe('a read that can begin again', () => {
  const coldEntries = (count: number) => {
    const loads: string[] = [];
    return { loads, entries: Array.from({ length: count }, (_, i) => new ColdEntry(`r/${i}`, loads)) };
  };

  it('does so after what only the disk has was loaded, with some of what follows', async () => {
    const { loads, entries } = coldEntries(1200);
    let restarts = 0;
    for (let isRead = false; !isRead; restarts++) {
      try {
        isRead = [...readable(entries, { isPossible: true })].length === entries.length;
      } catch (error) {
        await (error as Unready).ready;
      }
    }
    expect([restarts, loads.length]).to.deep.equal([4, 1200]);
  });

  it('does not load more than it was going to read', async () => {
    const { loads, entries } = coldEntries(2);
    expect(() => [...readable(entries.slice(0, 1), { isPossible: true }, 'attributes')]).to.throw(Unready);
    expect(loads).to.deep.equal(['attributes of r/0']);
  });

  it('reads on where it cannot', () => {
    const { loads, entries } = coldEntries(3);
    expect([...readable(entries, undefined)]).to.deep.equal(entries);
    expect([...readable(entries, { isPossible: false })]).to.deep.equal(entries);
    expect(loads).to.deep.equal([]);
  });
});
