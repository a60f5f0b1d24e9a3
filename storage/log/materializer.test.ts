import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Materializer } from './materializer.js';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1);
}

describe('materializer', () => {
  const ignored = { onError: () => undefined, period: 1 };

  it('carries the log into the objects again and again, and tells how far', async () => {
    let calls = 0;
    const materializer = new Materializer({ materialize: async () => ++calls * 10 }, ignored);
    expect(materializer.revision).to.equal(0);
    await until(() => materializer.revision >= 30);
    await materializer.stop();
    const after = calls;
    await sleep(5);
    expect([calls, materializer.revision, materializer.failure()]).to.deep.equal([after, after * 10, undefined]);
  });

  it('does nothing on a server that is not elected, and for a store whose commits write both', async () => {
    let [calls, asked] = [0, 0];
    const materialize = async (): Promise<number> => ++calls;
    const isElected = (): boolean => ++asked < 0;
    const materializer = new Materializer({ materialize }, { ...ignored, isElected });
    const without = new Materializer({}, ignored);
    await until(() => asked > 3);
    await Promise.all([materializer.stop(), without.stop()]);
    expect([calls, without.revision]).to.deep.equal([0, 0]);
  });

  it('tries again after a failure, which it reports once, and says after a minute that somebody should look', async () => {
    const [error, errors] = [new Error('the disk is full'), [] as unknown[]];
    let [now, isFull, calls] = [0, true, 0];
    const materialize = async (): Promise<number> => {
      calls++;
      if (isFull) throw error;
      return 7;
    };
    const onError = (one: unknown): void => void errors.push(one);
    const materializer = new Materializer({ materialize }, { onError, period: 1, now: () => now });
    await until(() => calls > 2);
    expect(errors).to.deep.equal([error]);
    now = 59_999;
    expect(materializer.failure()).to.equal(undefined);
    now = 60_000;
    expect(materializer.failure()).to.equal(error);
    isFull = false;
    await until(() => materializer.revision === 7);
    expect(materializer.failure()).to.equal(undefined);
    await materializer.stop();
  });
});
