import { expect } from 'chai';
import fc from 'fast-check';
import { type FileSize, filesToMerge, MOST_MERGED } from './merges.js';

const ofBytes = (...bytes: readonly number[]): readonly FileSize[] => bytes.map((one) => ({ bytes: one, objects: 1 }));

describe('the files to merge', () => {
  it('are none as long as there are few, or each is larger than all newer ones together', () => {
    for (const sizes of [[], [1], [1, 1, 1], [1, 2, 4, 8, 16, 32], [1, 1, 3, 6, 12], [2, 1, 1, 100, 1]])
      expect(filesToMerge(ofBytes(...sizes)), sizes.join()).to.equal(0);
  });

  it('are the newest of about the same size, and not a large one behind them', () => {
    expect(filesToMerge(ofBytes(1, 1, 1, 1))).to.equal(4);
    expect(filesToMerge(ofBytes(1, 1, 2, 4, 8, 100))).to.equal(5);
    expect(filesToMerge(ofBytes(5, 1, 1, 1, 1, 1, 1000, 1))).to.equal(6);
  });

  it('may be empty, as files are whose objects are all gone', () => {
    expect(filesToMerge(ofBytes(0, 0, 0, 0, 1))).to.equal(4);
    expect(filesToMerge(ofBytes(1, 0, 0, 0))).to.equal(4);
  });

  it('have no more objects than a merge can take', () => {
    const large = { bytes: 1, objects: MOST_MERGED / 5 };
    expect(filesToMerge(new Array(9).fill(large))).to.equal(5);
    expect(filesToMerge([{ bytes: 9, objects: MOST_MERGED }, ...ofBytes(1, 1, 1)])).to.equal(0);
  });

  it('leave few files, and each object is written again only a few times, however large new files are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 400 }), (added) => {
        let newestFirst: readonly number[] = [];
        let written = 0;
        for (const bytes of added) {
          newestFirst = [bytes, ...newestFirst];
          for (let count = -1; count !== 0; ) {
            count = filesToMerge(ofBytes(...newestFirst));
            const sum = newestFirst.slice(0, count).reduce((total, one) => total + one, 0);
            if (count > 0) newestFirst = [sum, ...newestFirst.slice(count)];
            written += count > 0 ? sum : 0;
          }
        }
        const all = added.reduce((total, one) => total + one, 0);
        const doublings = Math.log2(all) + 1;
        expect(newestFirst.length).to.be.at.most(3 + doublings);
        expect(written).to.be.at.most(all * doublings);
      }),
    );
  });
});
