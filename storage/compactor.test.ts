import { expect } from 'chai';
import { startCompactor } from './compactor.js';
import { StorageError } from './errors.js';
import { openMemory } from './memory/backend.js';
import { batchOf, key } from './testing/backend/fixture.js';
import { around } from './testing/engine/around.js';

const neverFails = { onError: (error: unknown) => expect.fail(String(error)) };

describe('compactor', function () {
  this.timeout(20_000);

  /** Two commits, the first at 0, the second at 900; then it is 1100. */
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

  it('forgets what is older than the history by the store’s clock, and nothing younger', async () => {
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

  it('asks nothing of a store that has nothing to forget', async () => {
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

  it('tells of a failure and tries again at the next turn', async () => {
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

  it('stops after the compaction under way, and begins no other', async () => {
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
});
