import { expect } from 'chai';
import { DiskReserve, reserveOf } from './reserve.js';
import type { Space } from './space.js';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const disk = (free: number, reusable = 0, total = 100 * GIB): Space => ({ free, reusable, total });

describe('the reserve of a disk', () => {
  it('is as large as wanted, or a tenth of a small disk, and never less than a commit needs', () => {
    const sizes = [100 * GIB, 4 * GIB, 400 * MIB, 50 * MIB].map((total) => reserveOf(GIB, disk(0, 0, total)));
    expect(sizes).to.deep.equal([GIB, 0.4 * GIB, 64 * MIB, 64 * MIB]);
    expect(reserveOf(0, disk(0))).to.equal(0);
  });

  const watched = async (first: Space | undefined, bytes = GIB) => {
    let space: Space | undefined | Error = first;
    let looks = 0;
    const [changes, errors]: [boolean[], unknown[]] = [[], []];
    const look = async () => {
      looks++;
      if (space instanceof Error) throw space;
      return space;
    };
    const options = {
      bytes,
      period: 3_600_000,
      onChange: (shortage: string | undefined) => void changes.push(shortage !== undefined),
      onError: (error: unknown) => void errors.push(error),
    };
    const reserve = new DiskReserve({ space: look }, options);
    await reserve.start();
    const at = async (next: typeof space): Promise<boolean> => {
      space = next;
      await reserve.measure();
      return reserve.shortage() !== undefined;
    };
    return { reserve, at, changes, errors, looks: () => looks };
  };

  it('is short below its bytes, says so once, and is well again when there is room', async () => {
    const { reserve, at, changes } = await watched(disk(2 * GIB));
    const seen = [await at(disk(GIB - 1)), await at(disk(MIB)), await at(disk(GIB)), await at(disk(0))];
    expect(seen).to.deep.equal([true, true, false, true]);
    expect(changes).to.deep.equal([true, false, true]);
    expect(reserve.shortage()).to.contain('0 MiB left, and 1024 MiB are kept').and.contain('storage.reserve');
    await reserve.close();
  });

  it('counts what the store can use again, but half of it must be really free, an eighth if the store can use all of it again, and hardly anything if half as much again', async () => {
    const { reserve, at } = await watched(disk(2 * GIB));
    expect(await at(disk(GIB / 2, GIB - 1))).to.equal(false);
    expect(await at(disk(GIB / 2 - 1, GIB - 1))).to.equal(true);
    expect(await at(disk(GIB / 8, GIB))).to.equal(false);
    expect(await at(disk(GIB / 8 - 1, 1.5 * GIB - 1))).to.equal(true);
    expect(await at(disk(GIB / 32, 1.5 * GIB))).to.equal(false);
    expect(await at(disk(GIB / 32 - 1, 10 * GIB))).to.equal(true);
    await reserve.close();
  });

  it('has a half that is for deletions alone, of which less must be really free, the more the store can use again', async () => {
    const { reserve, at } = await watched(disk(2 * GIB));
    const isShortForAll = async (free: number, reusable = 0): Promise<boolean> => {
      await at(disk(free, reusable));
      return reserve.shortageForAll() !== undefined;
    };
    for (const [least, reusable] of [
      [GIB / 2, 0],
      [GIB / 2, GIB / 2 - 1],
      [GIB / 4, GIB / 2],
      [GIB / 4, GIB - 1],
      [GIB / 8, GIB],
      [GIB / 32, 1.5 * GIB],
    ] as const) {
      expect(await isShortForAll(least, reusable)).to.equal(false);
      expect(await isShortForAll(least - 1, reusable), `${reusable}`).to.equal(true);
    }
    expect(reserve.shortageForAll()).to.contain('31 MiB left, and 512 MiB are kept for deletions alone');
    await reserve.close();
  });

  it('tells once of a disk that is too small for it', async () => {
    const small: number[] = [];
    for (const [total, bytes] of [
      [99 * MIB, GIB],
      [100 * MIB, GIB],
      [50 * MIB, 0],
    ] as const) {
      const options = { bytes, period: 3_600_000, onSmall: (size: number) => void small.push(size) };
      const reserve = new DiskReserve({ space: async () => disk(0, 0, total) }, options);
      await reserve.start();
      await reserve.measure();
      await reserve.close();
    }
    expect(small).to.deep.equal([99]);
  });

  it('looks again after a part of it was written', async () => {
    const { reserve, looks } = await watched(disk(2 * GIB));
    reserve.wrote(60 * MIB);
    expect(looks()).to.equal(1);
    reserve.wrote(5 * MIB);
    expect(looks()).to.equal(2);
    await reserve.close();
  });

  it('is never short if it is switched off, or the store cannot tell', async () => {
    for (const one of [await watched(disk(0), 0), await watched(undefined)]) {
      one.reserve.wrote(100 * GIB);
      expect([one.reserve.shortage(), one.reserve.shortageForAll(), one.looks()]).to.deep.equal([
        undefined,
        undefined,
        1,
      ]);
      await one.reserve.close();
    }
  });

  it('keeps the last answer while the store fails', async () => {
    const { reserve, at, errors } = await watched(disk(0));
    expect([await at(new Error('away')), errors.length]).to.deep.equal([true, 1]);
    await reserve.close();
  });
});
