import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Backend, Commit, Revision } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { batchOf, key, loadAll, plainCommit } from '../testing/backend/fixture.js';
import { openRemote } from './open.js';
import type { StoreReads } from './reads.js';
import { shareBackend } from './serve.js';
import { channel } from './testing/ports.js';

/** The reads of another process, from the same memory. */
function readsOf(store: ReturnType<typeof memoryStore>): StoreReads & { readonly counts: { looks: number } } {
  const log: { looks: number } = { looks: 0 };
  const reads = {
    end: () => {
      log.looks++;
      return store.end;
    },
    commits: (after: Revision): readonly Commit[] =>
      store.log.map(({ commit }) => commit).filter(({ end }) => end > after),
    close: async () => undefined,
  };
  return Object.assign(reads as unknown as StoreReads, { counts: log }) as never;
}

/** An owner in this process, and other "processes" that share its store. */
function world(around: (owner: Backend) => Backend = (owner) => owner) {
  const store = memoryStore();
  const owner = around(openMemory(store));
  const share = shareBackend(owner);
  const join = () => {
    const ports = channel();
    const reads = readsOf(store);
    share(ports.owner);
    return { ...ports, reads, backend: openRemote(ports.other, reads) };
  };
  return { owner, join };
}

const batch = (revision: Revision) => batchOf([{ key: key('a'), revision, value: Buffer.from('1') }]);
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (isStorageError(error) ? error.code : error),
  );

describe('the store of another process', () => {
  it('is looked at once for all who ask for its end in one turn', async () => {
    const { backend, reads } = world().join();
    expect(await Promise.all([backend.end(), backend.end(), backend.end()])).to.deep.equal([0, 0, 0]);
    expect(reads.counts).to.deep.equal({ looks: 1 });
    await backend.append(0, batch(1));
    expect(await backend.end()).to.equal(1);
    expect(reads.counts).to.deep.equal({ looks: 2 });
  });

  it('takes no turns while this process appends alone, and takes them again when another one appends', async () => {
    const { join } = world();
    const [one, two] = [join(), join()];
    expect(await one.backend.turn?.()).to.equal(0);
    await one.backend.append(0, batch(1));
    await one.backend.end();
    expect(await one.backend.turn?.()).to.equal(1);
    one.backend.pass?.();
    expect(one.calls).to.deep.equal(['turn', 'append']);
    await two.backend.append(1, batch(2));
    while ((await one.backend.turn?.()) !== 2) await turn();
    one.backend.pass?.();
    expect(one.calls.slice(-2)).to.deep.equal(['turn', 'pass']);
  });

  it('goes on alone, whatever else it asks the owner, and is not told of its own appends', async () => {
    const { join } = world();
    const [one, two] = [join(), join()];
    expect(one.backend.shared).to.equal(true);
    const tail = two.backend.tail(0, new AbortController().signal)[Symbol.asyncIterator]();
    for (const revision of [1, 2, 3]) {
      const told = tail.next();
      await one.backend.append(revision - 1, batch(revision));
      expect((await told).value.end).to.equal(revision);
    }
    await one.backend.compact(1);
    await one.backend.turn?.();
    expect(one.calls).to.deep.equal(['append', 'append', 'append', 'compact']);
    await tail.return?.();
  });

  for (const what of ['has appended', 'passes', 'is gone']) {
    it(`gives the turn to the next at once when the one that has it ${what}`, async () => {
      const { join } = world();
      const [one, two] = [join(), join()];
      await one.backend.turn?.();
      let isNext = false;
      void two.backend.turn?.().then(() => {
        isNext = true;
      });
      for (let i = 0; i < 5; i++) await turn();
      expect(isNext).to.equal(false);
      if (what === 'has appended') void one.backend.append(0, batch(1));
      if (what === 'passes') one.backend.pass?.();
      if (what === 'is gone') one.lose();
      for (let i = 0; i < 10; i++) await turn();
      expect(isNext).to.equal(true);
    });
  }

  it('asks for a turn after an append that was refused, because another one was faster', async () => {
    const { owner, join } = world();
    const { backend, calls } = join();
    await backend.append(0, batch(1));
    await owner.append(1, batch(2));
    expect(await codeOf(backend.append(1, batch(2)))).to.equal('behind');
    expect(await backend.turn?.()).to.equal(2);
    expect(calls).to.deep.equal(['append', 'append', 'turn']);
  });

  it('lets nobody wait if the owner cannot give a turn', async () => {
    const { backend, lose } = world().join();
    lose();
    expect(await backend.turn?.()).to.equal(0);
    backend.pass?.();
  });

  it('passes on the errors of the owner, with the key of the object', async () => {
    const failures = [
      new StorageError('rejected', 'The object is too large.', { key: 'folders.x/default/a' }),
      new StorageError('unavailable', 'The disk is full.'),
      new Error('a bug'),
    ];
    const left = [...failures];
    const { backend } = world((owner) => ({ ...owner, append: () => Promise.reject(left.shift()) })).join();
    for (const failure of failures) {
      const error: unknown = await backend.append(0, batch(1)).catch((error: unknown) => error);
      expect(error).to.include({ message: failure.message, name: failure.name });
      if (failure instanceof StorageError) expect(error).to.include({ code: failure.code, key: failure.key });
    }
  });

  it('does not know whether an append was stored whose owner is gone', async () => {
    const { backend, lose } = world((owner) => ({ ...owner, append: () => new Promise(() => undefined) })).join();
    const appending = codeOf(backend.append(0, batch(1)));
    lose();
    expect(await appending).to.equal('unknown');
    expect(await codeOf(backend.append(0, batch(1)))).to.equal('unknown');
  });

  it('is loaded from what this process reads itself', async () => {
    const { backend, calls, reads } = world().join();
    const stored = { key: key('a'), revision: 1, value: Buffer.from('1') };
    Object.assign(reads, {
      async *load(resource: string) {
        yield [{ ...stored, key: key('a', resource) }];
      },
    });
    expect((await loadAll(backend, 'teams')).map((one) => one.key)).to.deep.equal([key('a', 'teams')]);
    expect(calls).to.deep.equal([]);
  });

  it('is compacted by the owner', async () => {
    const { owner, join } = world();
    const { backend, calls } = join();
    await backend.append(0, batch(1));
    await backend.compact(1);
    expect([calls, await owner.compacted()]).to.deep.equal([['append', 'compact'], 1]);
  });
});

describe('the tail of the store of another process', () => {
  const next = async (tail: AsyncIterator<Commit>): Promise<unknown> => {
    const { done, value } = await tail.next();
    return done === true ? undefined : plainCommit(value);
  };
  const tailOf = (backend: Backend, signal = new AbortController().signal, known?: () => Revision) =>
    backend.tail(0, signal, known)[Symbol.asyncIterator]();

  it('wakes for what this process and others append', async () => {
    const { join } = world();
    const [one, two] = [join(), join()];
    const tail = tailOf(one.backend);
    const first = next(tail);
    await one.backend.append(0, batch(1));
    expect(await first).to.deep.include({ end: 1 });
    const second = next(tail);
    await two.backend.append(1, batch(2));
    expect(await second).to.deep.include({ end: 2 });
    await tail.return?.();
  });

  it('leaves out what its reader knows', async () => {
    const { backend } = world().join();
    for (const revision of [1, 2, 3]) await backend.append(revision - 1, batch(revision));
    const tail = tailOf(backend, undefined, () => 2);
    expect(await next(tail)).to.deep.include({ end: 3 });
    await tail.return?.();
  });

  it('ends with its signal, and when the store is closed, also between commits', async () => {
    const { backend } = world().join();
    for (const revision of [1, 2]) await backend.append(revision - 1, batch(revision));
    const stop = new AbortController();
    const [stopped, closed] = [tailOf(backend, stop.signal), tailOf(backend)];
    expect([await next(stopped), await next(closed)].map((one) => (one as Commit).end)).to.deep.equal([1, 1]);
    stop.abort();
    expect(await next(stopped)).to.equal(undefined);
    expect(await next(closed)).to.deep.include({ end: 2 });
    const waiting = next(closed);
    await backend.close();
    expect(await waiting).to.equal(undefined);
  });
});

describe('the end of a store of another process', () => {
  it('lets the appends that have begun end first, and refuses everything else', async () => {
    const order: string[] = [];
    const { backend, calls, reads } = world().join();
    Object.assign(reads, { close: async () => void order.push('reads closed') });
    const appending = backend.append(0, batch(1)).then(() => order.push('appended'));
    await Promise.all([backend.close(), appending]);
    expect(order).to.deep.equal(['appended', 'reads closed']);
    const works = [
      backend.append(1, batch(2)),
      backend.end(),
      backend.counters(),
      backend.get([]),
      backend.revisionBefore(0),
      backend.compacted(),
      backend.compact(1),
    ];
    expect(await Promise.all(works.map(codeOf))).to.deep.equal(works.map(() => 'closed'));
    backend.pass?.();
    expect(calls).to.deep.equal(['append']);
  });

  it('gives its turn to the next, and needs no more notices', async () => {
    const { join } = world();
    const [one, two, three] = [join(), join(), join()];
    await one.backend.turn?.();
    const waiting = two.backend.turn?.();
    one.lose();
    expect(await waiting).to.equal(0);
    await two.backend.append(0, batch(1));
    expect(await three.backend.turn?.()).to.equal(1);
  });
});
