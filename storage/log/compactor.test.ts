import { mock } from 'node:test';
import { expect } from 'chai';
import { StorageError } from '../errors.js';
import { openMemory } from '../memory/backend.js';
import { batchOf, key } from '../testing/backend/fixture.js';
import { around } from '../testing/engine/around.js';
import { compactToBytes, startCompactor } from './compactor.js';

const neverFails = { onError: (error: unknown) => expect.fail(String(error)) };

describe('compactor', function () {
  this.timeout(20_000);

  /** Two commits, at 0 and at 900; the time is then 1100. */
  async function twoCommits() {
    let now = 0;
    const backend = openMemory(undefined, () => now);
    for (const at of [0, 900]) {
      now = at;
      const revision = (await backend.end()) + 1;
      const put = { key: key('a'), revision, value: Buffer.from('{}') };
      await backend.append(revision - 1, batchOf([put]));
    }
    now = 1100;
    return backend;
  }

  // Promise: contract 9
  it('removes exactly what is older than the history by the store’s clock', async () => {
    const backend = await twoCommits();
    let stop = async (): Promise<void> => undefined;
    await new Promise<void>((resolve) => {
      const watched = around(backend, {
        compact: async (through) => {
          await backend.compact(through);
          resolve();
        },
      });
      stop = startCompactor(watched, { history: 1000, ...neverFails });
    });
    await stop();
    expect(await backend.compacted()).to.equal(1);
  });

  it('does not call compact if there is nothing to remove', async () => {
    const backend = await twoCommits();
    let compactions = 0;
    let stop = async (): Promise<void> => undefined;
    await new Promise<void>((resolve) => {
      let looked = 0;
      const watched = around(backend, {
        revisionBefore: async () => {
          if (++looked === 2) resolve();
          return 0;
        },
        compact: async () => {
          compactions++;
        },
      });
      stop = startCompactor(watched, { history: 1000, ...neverFails });
    });
    await stop();
    expect(compactions).to.equal(0);
  });

  it('reports a failure and tries again in the next period', async () => {
    const backend = await twoCommits();
    const errors: unknown[] = [];
    let stop = async (): Promise<void> => undefined;
    await new Promise<void>((resolve) => {
      let compactions = 0;
      const watched = around(backend, {
        compact: async (through) => {
          if (++compactions === 1) throw new StorageError('unavailable', 'on purpose');
          await backend.compact(through);
          resolve();
        },
      });
      stop = startCompactor(watched, { history: 1000, onError: (error) => errors.push(error) });
    });
    await stop();
    expect(errors).to.have.length(1);
    expect(await backend.compacted()).to.equal(1);
  });

  it('stops after the running compaction and starts no other', async () => {
    const backend = await twoCommits();
    let finish: () => void = () => undefined;
    let compactions = 0;
    let stop = async (): Promise<void> => undefined;
    await new Promise<void>((resolve) => {
      const watched = around(backend, {
        compact: async () => {
          compactions++;
          resolve();
          await new Promise<void>((done) => {
            finish = done;
          });
        },
      });
      stop = startCompactor(watched, { history: 1000, ...neverFails });
    });
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    await new Promise(setImmediate);
    expect(stopped).to.equal(false);
    finish();
    await stopping;
    expect(compactions).to.equal(1);
  });

  it('runs ten times in the history, at most once a second, and only on the elected server', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      let [looked, isElected] = [0, true];
      const counting = around(await twoCommits(), {
        revisionBefore: async () => {
          looked++;
          return 0;
        },
      });
      const lookedAfter = async (history: number, milliseconds: number) => {
        looked = 0;
        const stop = startCompactor(counting, { history, ...neverFails, isElected: () => isElected });
        for (let passed = 0; passed < milliseconds; passed += 100) {
          mock.timers.tick(100);
          await new Promise(setImmediate);
        }
        await stop();
        return looked;
      };
      expect(await lookedAfter(100, 3000)).to.equal(3);
      expect(await lookedAfter(20_000, 6000)).to.equal(3);
      isElected = false;
      expect(await lookedAfter(100, 3000)).to.equal(0);
    } finally {
      mock.timers.reset();
    }
  });
});

describe('a log with too many bytes', () => {
  /** A hundred commits of about 1 kB. */
  async function hundred() {
    const backend = openMemory();
    for (let revision = 1; revision <= 100; revision++)
      await backend.append(revision - 1, batchOf([{ key: key('a'), revision, value: Buffer.alloc(1000) }]));
    return backend;
  }

  // Promise: security work
  it('loses its oldest changes, and not more than it must', async () => {
    const backend = await hundred();
    await compactToBytes(backend, 50_000);
    expect(await backend.logBytes()).to.be.within(49_000, 50_000);
    expect(await backend.compacted()).to.equal(50);
  });

  it('stays as it is if it has no more than it may', async () => {
    const backend = await hundred();
    await compactToBytes(backend, 100_000);
    expect(await backend.compacted()).to.equal(0);
  });

  it('keeps its newest change in any case, and ends if the store does not shrink', async () => {
    const backend = await hundred();
    await compactToBytes(backend, 10);
    expect(await backend.compacted()).to.equal(99);
    const stuck = around(await hundred(), { logBytes: async () => 1_000_000 });
    await compactToBytes(stuck, 10);
    expect(await stuck.compacted()).to.equal(99);
  });

  it('is compacted no further once the server stops, or another one is elected', async () => {
    const backend = await hundred();
    let rounds = 0;
    await compactToBytes(backend, 10, () => ++rounds > 3);
    expect(await backend.compacted()).to.equal(3);
  });

  it('is looked at regularly', async () => {
    const backend = await hundred();
    const stop = startCompactor(backend, { history: 1e9, bytes: () => 20_000, bytesPeriod: 5, ...neverFails });
    while ((await backend.logBytes()) > 20_000) await new Promise((resolve) => setTimeout(resolve, 5));
    await stop();
    expect(await backend.compacted()).to.equal(80);
  });
});
