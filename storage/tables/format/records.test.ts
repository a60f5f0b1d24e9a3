import { expect } from 'chai';
import { ColdReads } from '../../state/cold-reads.js';
import type { Checksums } from './checksums.js';
import type { Pages } from './pages.js';
import { Records } from './records.js';

/**
 * A record of two objects, `{}` each, in a file that only the disk has until it is loaded. `loads` and `asked` are the
 * ranges that were loaded, or asked for.
 */
function onDisk() {
  let isLoaded = false;
  const loads: (readonly number[])[] = [];
  const asked: (readonly number[])[] = [];
  const ask = (offset: number, length: number) => asked.push([offset, length]);
  const pages = {
    isResident: () => isLoaded,
    load: async (...range: readonly number[]) => {
      loads.push(range);
      isLoaded = true;
    },
    prefetch: ask,
    read: ask,
    prefetchAlone: ask,
  } as unknown as Pages;
  const checksums = { check: () => undefined } as unknown as Checksums;
  const places = {
    valueStarts: Float64Array.of(0, 3),
    valueLengths: Uint32Array.of(2, 2),
    attributeStarts: Float64Array.of(0, 3),
    revisions: Float64Array.of(1, 2),
  };
  return { records: new Records(places, { windows: [Buffer.from('{},{}')], pages, checksums }), loads, asked };
}

describe('a record that only the disk has', () => {
  it('is refused to work that must not wait, as whole objects, parts of lists and attributes', async () => {
    const reads = [
      (records: Records) => records.value(1),
      (records: Records) => records.values(1, 1, false),
      (records: Records) => records.attributes(1),
      (records: Records) => records.attributeBytes(1),
    ];
    for (const read of reads) {
      const { records, loads } = onDisk();
      const work = new ColdReads();
      expect(() => work.during(() => read(records))).to.throw('on the disk only');
      await work.met?.load();
      expect(loads.map(([offset]) => offset)).to.deep.equal([3]);
    }
  });

  it('is read once it is loaded, and by work that may wait', async () => {
    const { records } = onDisk();
    expect(records.value(0).toString()).to.equal('{}');
    const work = new ColdReads();
    expect(() => work.during(() => records.value(0))).to.throw();
    await work.met?.load();
    expect(new ColdReads().during(() => records.value(1).toString())).to.equal('{}');
  });

  it('is read as a whole by work that may wait', () => {
    const { records, loads, asked } = onDisk();
    records.values(0, 1, false);
    expect([loads, asked]).to.deep.equal([[], [[0, 5]]]);
  });

  it('is read in another thread if that is wanted', async () => {
    const { records, loads } = onDisk();
    expect((await records.read(1)).toString()).to.equal('{}');
    await records.read(1);
    expect(loads).to.deep.equal([[3, 2]]);
  });
});
