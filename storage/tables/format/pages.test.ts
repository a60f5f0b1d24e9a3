import { expect } from 'chai';
import type { MappedFile } from '../../../pkg/system/files/mapped-file.js';
import { DamageError, unreadable } from '../../damage.js';
import { Pages } from './pages.js';

const PAGE = 4096;
const BLOCK = 16 * PAGE;
const SIZE = 3 * BLOCK + 100;

/** A file that only the disk has until it is asked for. `asked` are the ranges that were. */
function onDisk({ isBroken = false } = {}) {
  const asked: (readonly [offset: number, length: number])[] = [];
  const distrusted: (readonly [offset: number, length: number])[] = [];
  const counter = { looks: 0 };
  const file = {
    size: SIZE,
    isResident: (offset: number, length: number) => {
      counter.looks++;
      return asked.some(([start, bytes]) => start <= offset && offset + length <= start + bytes);
    },
    prefetch: (offset: number, length: number) => asked.push([offset, length]),
    readNow: (offset: number, length: number) => {
      if (isBroken) throw new Error('EIO');
      asked.push([offset, Math.min(length, SIZE - offset)]);
    },
    load: async (offset: number, length: number) => {
      if (isBroken) throw new Error('EIO');
      asked.push([offset, Math.min(length, SIZE - offset)]);
    },
  } as unknown as MappedFile;
  const checksums = {
    distrust: (...range: readonly [offset: number, length: number]) => void distrusted.push(range),
    unreadable: (error: unknown) => unreadable('a.tables', error),
  };
  return { asked, distrusted, counter, pages: new Pages(file, checksums) };
}

describe('the pages of a file', () => {
  it('are asked for with what is around them, once in a period, and are checked again', () => {
    const { asked, distrusted, counter, pages } = onDisk();
    pages.prefetch(BLOCK + 5, 10, 1);
    expect(asked).to.deep.equal([[BLOCK, BLOCK]]);
    expect(distrusted).to.deep.equal(asked);
    for (const offset of [BLOCK, 2 * BLOCK - 10]) pages.prefetch(offset, 10, 1);
    expect(counter.looks).to.equal(1);
    pages.prefetch(BLOCK, 10, 2);
    expect([counter.looks, asked.length]).to.deep.equal([2, 1]);
  });

  it('are asked for up to the end of the file', () => {
    const { asked, pages } = onDisk();
    pages.prefetch(SIZE - 3, 3, 1);
    pages.prefetch(BLOCK - 1, 2, 1);
    expect(asked).to.deep.equal([
      [3 * BLOCK, 100],
      [0, 2 * BLOCK],
    ]);
  });

  it('are asked for alone if many lie apart', () => {
    const { asked, pages } = onDisk();
    pages.prefetchAlone(BLOCK + PAGE - 1, 2, 1);
    expect(asked).to.deep.equal([[BLOCK, 2 * PAGE]]);
  });

  it('are not asked for where the file has none, because numbers of a damaged file can be anything', () => {
    const { asked, pages } = onDisk();
    for (const [offset, length] of [
      [Number.NaN, 1],
      [-5, 10],
      [SIZE, 1],
      [0, Number.POSITIVE_INFINITY],
      [Number.POSITIVE_INFINITY, 1],
    ] as const)
      pages.prefetch(offset, length, 1);
    expect(asked).to.deep.equal([]);
  });

  it('are read with what is around them, or alone if they were asked for', () => {
    const { asked, distrusted, pages } = onDisk();
    pages.read(BLOCK + PAGE, 10, 1);
    expect(asked).to.deep.equal([[BLOCK, BLOCK]]);
    pages.read(2 * BLOCK - 10, 10, 1);
    pages.prefetchAlone(10, 10, 1);
    asked.length = 1;
    pages.read(10, 10, 1);
    expect(asked.slice(1)).to.deep.equal([[0, PAGE]]);
    expect(distrusted).to.deep.equal([
      [BLOCK, BLOCK],
      [0, PAGE],
      [0, PAGE],
    ]);
    pages.read(SIZE - 3, 3, 1);
    expect(asked.at(-1)).to.deep.equal([3 * BLOCK, 100]);
  });

  it('are damaged if the disk cannot read them, each time, and also if they were asked for or are loaded', async () => {
    const { pages } = onDisk({ isBroken: true });
    for (let i = 0; i < 2; i++) expect(() => pages.read(10, 10, 1)).to.throw(DamageError);
    expect(await pages.load(10, 10).catch((error: unknown) => error)).to.be.instanceOf(DamageError);
    const other = onDisk({ isBroken: true });
    other.pages.prefetchAlone(10, 10, 1);
    other.asked.length = 0;
    expect(() => other.pages.read(10, 10, 1)).to.throw(DamageError);
  });

  it('are looked at together, so that many that lie in memory cost one look', () => {
    const { asked, counter, pages } = onDisk();
    asked.push([0, BLOCK]);
    for (let offset = 0; offset < BLOCK; offset += PAGE) pages.prefetchAlone(offset, 10, 1);
    expect([counter.looks, asked.length]).to.deep.equal([1, 1]);
  });

  it('are there once they were loaded', async () => {
    const { asked, pages } = onDisk();
    expect(pages.isResident(10, PAGE, 1)).to.equal(false);
    await pages.load(10, PAGE);
    expect(pages.isResident(10, PAGE, 1)).to.equal(true);
    pages.prefetch(10, PAGE, 1);
    expect(asked).to.deep.equal([[0, BLOCK]]);
  });
});
