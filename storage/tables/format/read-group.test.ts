import { expect } from 'chai';
import { ColdReads } from '../../state/cold-reads.js';
import type { Checksums } from './checksums.js';
import type { Pages } from './pages.js';
import { ReadGroups } from './read-group.js';
import { Records } from './records.js';

/** So many objects of 10 bytes, but object 3 is large. `asked` are the objects whose values were asked for. */
function objects(count: number) {
  const asked: number[] = [];
  const ask = (offset: number) => asked.push(offset / 10);
  const pages = { prefetch: ask, prefetchAlone: ask } as unknown as Pages;
  const places = {
    valueStarts: Float64Array.from({ length: count }, (_, i) => 10 * i),
    valueLengths: Uint32Array.from({ length: count }, (_, i) => (i === 3 ? 2 ** 20 : 9)),
    attributeStarts: Float64Array.from({ length: count }, (_, i) => -10 * i),
    revisions: new Float64Array(count),
  };
  const records = new Records(places, { windows: [], pages, checksums: {} as Checksums });
  return { asked, records };
}

/** The rows of an index whose objects are in the opposite order. */
const rowsOf = (count: number) => Uint32Array.from({ length: count }, (_, i) => count - 1 - i);

describe('objects that are read one after another', () => {
  it('are asked for together when the first of them is read, each part once', () => {
    const { asked, records } = objects(20);
    const groups = new ReadGroups(records, rowsOf(20), { from: 2, to: 20 }, false);
    expect(asked).to.deep.equal([]);
    for (const row of [2, 3]) groups.of(row).values();
    expect(asked).to.deep.equal([17, 16, 15, 14, 13, 12, 11, 10]);
    asked.length = 0;
    groups.of(4).attributes();
    expect(asked).to.deep.equal([-17, -16, -15, -14, -13, -12, -11, -10]);
  });

  it('are in groups that grow, up to the end, and without large ones', () => {
    const { asked, records } = objects(30);
    const groups = new ReadGroups(records, rowsOf(30), { from: 0, to: 28 }, false);
    for (let row = 0; row < 28; row++) {
      groups.of(row).values();
      expect(asked.length, `${row}`).to.equal(row < 8 ? 8 : row < 24 ? 24 : 27);
    }
    expect(asked.at(-1)).to.equal(2);
    expect(asked).to.not.include(3);
  });

  it('are those before a row if they are read backwards', () => {
    const { asked, records } = objects(20);
    const groups = new ReadGroups(records, rowsOf(20), { from: 5, to: 20 }, true);
    for (let row = 19; row >= 5; row--) groups.of(row).values();
    expect(asked).to.have.members([0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]).and.have.length(14);
    expect(asked[0]).to.equal(7);
  });

  it('are not asked for by work that must not wait', () => {
    const { asked, records } = objects(20);
    const groups = new ReadGroups(records, rowsOf(20), { from: 0, to: 20 }, false);
    new ColdReads().during(() => groups.of(0).values());
    expect(asked).to.deep.equal([]);
  });
});
