import { expect } from 'chai';
import fc from 'fast-check';
import { type FileSize, filesToMerge, fileToShrink, MOST_MERGED } from './merges.js';

const ofBytes = (...bytes: readonly number[]): readonly FileSize[] =>
  bytes.map((one) => ({ bytes: one, deletedBytes: 0, objects: 1 }));

/** The sizes of the files to merge. */
const merged = (...bytes: readonly number[]): readonly number[] =>
  filesToMerge(ofBytes(...bytes)).map((one) => one.bytes);

describe('the files to merge', () => {
  it('are none as long as there are few, or each is larger than all smaller ones together', () => {
    for (const sizes of [[], [1], [1, 1, 1], [1, 2, 4, 8, 16, 32], [30, 1, 4, 10, 1], [3, 1, 1, 100, 1000]])
      expect(merged(...sizes), sizes.join()).to.deep.equal([]);
  });

  it('are those of about the same size, and neither a large nor a small one beside them', () => {
    expect(merged(1, 1, 1, 1)).to.deep.equal([1, 1, 1, 1]);
    expect(merged(1, 1, 100, 2, 4, 8)).to.deep.equal([1, 1, 2, 4, 8]);
    expect(merged(50, 1, 51, 52, 53)).to.deep.equal([50, 51, 52, 53]);
  });

  it('may be empty, as files are whose objects are all gone', () => {
    expect(merged(0, 0, 0, 0, 1)).to.deep.equal([0, 0, 0, 0]);
    expect(merged(1, 0, 0, 0)).to.deep.equal([]);
  });

  it('have no more objects than a merge can take', () => {
    const large = { bytes: 1, deletedBytes: 0, objects: MOST_MERGED / 5 };
    expect(filesToMerge(new Array<FileSize>(9).fill(large))).to.have.length(5);
    expect(filesToMerge([{ bytes: 9, deletedBytes: 0, objects: MOST_MERGED }, ...ofBytes(1, 1, 1)])).to.deep.equal([]);
  });

  it('leave few files, and each object is written again only a few times, however large new files are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 400 }), (added) => {
        let files: readonly FileSize[] = [];
        let written = 0;
        for (const bytes of added) {
          files = [...files, { bytes, deletedBytes: 0, objects: 1 }];
          for (let chosen = filesToMerge(files); chosen.length > 0; chosen = filesToMerge(files)) {
            const sum = chosen.reduce((total, one) => total + one.bytes, 0);
            files = [...files.filter((one) => !chosen.includes(one)), { bytes: sum, deletedBytes: 0, objects: 1 }];
            written += sum;
          }
        }
        const all = added.reduce((total, one) => total + one, 0);
        const doublings = Math.log2(all) + 1;
        expect(files.length).to.be.at.most(3 * doublings);
        expect(written).to.be.at.most(1.5 * all * doublings);
      }),
    );
  });
});

describe('the file that is written again when the disk is short of space', () => {
  const sizes = (...files: readonly (readonly [bytes: number, deletedBytes: number])[]): readonly FileSize[] =>
    files.map(([bytes, deletedBytes]) => ({ bytes, deletedBytes, objects: 1 }));

  it('is the one with the most bytes that are gone, if these are more than what is left of it', () => {
    expect(fileToShrink(sizes([9, 10], [0, 11], [5, 6]))).to.deep.include({ bytes: 0, deletedBytes: 11 });
    expect(fileToShrink(sizes([9, 10]))).to.deep.include({ bytes: 9 });
  });

  it('is none if it would not make much room, so that none is written again and again', () => {
    for (const files of [sizes(), sizes([0, 0]), sizes([10, 10], [3, 2])])
      expect(fileToShrink(files)).to.equal(undefined);
  });
});
