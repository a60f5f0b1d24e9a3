import { expect } from 'chai';
import { ColdReads } from '../../state/cold-reads.js';
import type { Checksums } from './checksums.js';
import type { Pages } from './pages.js';
import { Records } from './records.js';

/** A record of two objects, `{}` each, in a file that only the disk has until it is loaded. */
function onDisk() {
  let isLoaded = false;
  const loads: (readonly number[])[] = [];
  const pages = {
    isResident: () => isLoaded,
    load: async (...range: readonly number[]) => {
      loads.push(range);
      isLoaded = true;
    },
  } as unknown as Pages;
  const checksums = { check: () => undefined } as unknown as Checksums;
  const places = {
    valueStarts: Float64Array.of(0, 3),
    valueLengths: Uint32Array.of(2, 2),
    attributeStarts: Float64Array.of(0, 3),
    revisions: Float64Array.of(1, 2),
  };
  return { records: new Records(places, { windows: [Buffer.from('{},{}')], pages, checksums }), loads };
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
});
