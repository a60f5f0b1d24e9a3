import { expect } from 'chai';
import { StorageError } from '../errors.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { encodeText } from '../state/codec.js';
import { MemoryEntry } from '../state/entry.js';
import { batchOf, expectCode } from '../testing/backend/fixture.js';
import { around, Gate } from '../testing/engine/around.js';
import { names, write } from '../testing/engine/foreign.js';
import { eachCacher } from '../testing/engine/own-cacher.js';
import { DEFINITIONS, FOLDERS, key, objectAt } from '../testing/engine/resources.js';
import { watch } from '../testing/engine/watch-steps.js';
import { Cacher } from './cacher.js';

describe('Cacher', () => {
  const own = eachCacher();

  it('ends a watch that is open across a load, because the changes between are unknown', async () => {
    const gate = new Gate();
    const shaky = around(own.backend, {
      tail: async function* (after, signal) {
        await gate.pass();
        yield* own.backend.tail(after, signal);
      },
    });
    gate.shut();
    own.cacher = await Cacher.open(shaky, { definitions: DEFINITIONS });
    const { signal } = new AbortController();
    const ended = [undefined, { key: key(FOLDERS, 'a') }].map(async (scope) => {
      const options = { resource: FOLDERS, after: 0, selects: () => true, signal, scope };
      for await (const { deliveries } of watch(own.cacher as Cacher, options)) expect(deliveries).to.deep.equal([]);
    });
    await write(own.backend, ['a', 'b']);
    await own.backend.compact(2);
    gate.open();
    for (const end of ended) await expectCode(end, 'compacted');
  });

  it('brings what look-ups read into the page cache, whether or not somebody reads', async () => {
    own.cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    await new Promise<void>((resolve) => {
      Object.assign(own.cacher?.state ?? {}, { resident: async () => resolve() });
    });
  });

  it('takes no commit of another log after those that it has appended itself', async () => {
    for (const other of [
      { end: 1, id: 'other', revision: 1 },
      { end: 2, id: 'other', revision: 1 },
    ]) {
      const gate = new Gate();
      const store = memoryStore();
      const backend = openMemory(store, Date.now, true);
      const errors: unknown[] = [];
      const change = { key: key(FOLDERS, 'b'), revision: other.revision, value: Buffer.from('{}') };
      const shaky = around(backend, {
        tail: async function* () {
          await gate.pass();
          yield { end: other.end, id: other.id, changes: [change], counters: new Map() };
        },
      });
      gate.shut();
      const cacher = await Cacher.open(shaky, {
        definitions: DEFINITIONS,
        onError: (error: unknown) => {
          errors.push(error);
          gate.shut();
        },
      });
      cacher.publish(cacher.state.draft().finish(1, new Map(), 'own'), []);
      gate.open();
      while (errors.length === 0) await new Promise(setImmediate);
      await cacher.close();
      expect(errors[0]).to.be.instanceOf(StorageError).with.property('code', 'diverged');
      expect([cacher.state.revision, names(cacher)]).to.deep.equal([1, []]);
    }
  });

  it('skips changes of resources that only a newer server knows', async () => {
    own.cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    await write(own.backend, ['a', '/x', 'b']);
    await own.cacher.fresh();
    expect([own.cacher.state.revision, names(own.cacher)]).to.deep.equal([3, ['a', 'b']]);
    expect(own.cacher.ring(FOLDERS).end).to.equal(2);
    expect(() => own.cacher?.ring('unknown.newer')).to.throw(/not declared/);
  });

  it('continues at its position after following the log fails', async () => {
    const errors: unknown[] = [];
    let failures = 0;
    const shaky = around(own.backend, {
      tail: async function* (after, signal) {
        for await (const commit of own.backend.tail(after, signal)) {
          yield commit;
          if (failures++ < 2) throw new StorageError('unavailable', 'on purpose');
        }
      },
    });
    own.cacher = await Cacher.open(shaky, { definitions: DEFINITIONS, onError: (error) => errors.push(error) });
    for (const name of ['a', 'b', 'c', 'd']) await write(own.backend, [name]);
    await own.cacher.fresh();
    expect(names(own.cacher)).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(own.cacher.ring(FOLDERS).end).to.equal(4);
    expect(errors).to.have.length(2);
  });

  it('publishes nothing of a commit with a change that cannot be read, not even events', async () => {
    const failed = new Promise<unknown>((resolve) => {
      void Cacher.open(own.backend, { definitions: DEFINITIONS, onError: resolve }).then(async (opened) => {
        own.cacher = opened;
        const good = key(FOLDERS, 'good');
        const bad = key(FOLDERS, 'bad');
        await own.backend.append(
          0,
          batchOf([
            { key: good, revision: 1, value: encodeText(JSON.stringify(objectAt(good, {})), 1) },
            { key: bad, revision: 2, value: Buffer.from('no JSON') },
          ]),
        );
      });
    });
    expect(await failed).to.be.instanceOf(SyntaxError);
    expect([own.cacher?.state.revision, own.cacher?.ring(FOLDERS).end]).to.deep.equal([0, 0]);
  });

  it('does not loop busily if the store is closed first', async () => {
    let tails = 0;
    const ended = around(own.backend, {
      tail: async function* (after, signal) {
        // A busy loop would let nothing else run, so this test could never fail.
        if (++tails > 1000) await new Promise(setImmediate);
        if (tails === 0) yield* own.backend.tail(after, signal);
      },
    });
    own.cacher = await Cacher.open(ended, { definitions: DEFINITIONS });
    for (let i = 0; i < 100; i++) await new Promise(setImmediate);
    expect(tails).to.be.within(1, 100);
  });

  it('wakes all watchers once a second, because their bookmarks may be due', async () => {
    const ticks = new Map<number | undefined, () => void>();
    const { setInterval: real } = globalThis;
    globalThis.setInterval = ((tick: () => void, every?: number) => {
      ticks.set(every, tick);
      return real(tick, 60_000);
    }) as typeof setInterval;
    try {
      own.cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    } finally {
      globalThis.setInterval = real;
    }
    let woken = 0;
    for (const place of [{}, { namespace: 'quiet' }]) {
      own.cacher.ring(FOLDERS).watchers.add({ wake: () => woken++, note: () => undefined }, place);
    }
    ticks.get(1000)?.();
    expect(woken).to.equal(2);
  });

  it('stops waiting for a revision when the signal aborts', async () => {
    own.cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    const controller = new AbortController();
    const reason = new Error('gone');
    const waiting = own.cacher.reach(1, controller.signal).catch((error: unknown) => error);
    controller.abort(reason);
    expect(await waiting).to.equal(reason);
  });

  it('does not load again because following the log failed', async () => {
    const loads: string[] = [];
    const failed = new Promise<void>((resolve) => {
      const shaky = around(own.backend, {
        load: (resource) => {
          loads.push(resource);
          return own.backend.load(resource);
        },
        tail: () => {
          throw new StorageError('unavailable', 'on purpose');
        },
      });
      void Cacher.open(shaky, { definitions: DEFINITIONS, onError: () => resolve() }).then((opened) => {
        own.cacher = opened;
      });
    });
    await failed;
    for (let i = 0; i < 10; i++) await new Promise(setImmediate);
    expect(loads).to.deep.equal(DEFINITIONS.map(({ resource }) => resource));
  });

  it('publishes a commit once, although the log was faster than the server that appended it', async () => {
    own.cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    const draft = own.cacher.state.draft();
    await write(own.backend, ['a']);
    await own.cacher.fresh();
    const entry = own.cacher.resource(FOLDERS).get(key(FOLDERS, 'a'));
    own.cacher.publish(draft.finish(1, new Map()), [
      { key: key(FOLDERS, 'a'), revision: 1, entry, previous: undefined },
    ]);
    expect([own.cacher.ring(FOLDERS).end, names(own.cacher)]).to.deep.equal([1, ['a']]);
  });

  it('does not ask for the signal of a request that need not wait', async () => {
    own.cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    await own.cacher.fresh({
      get signal(): AbortSignal {
        throw new Error('nobody waits');
      },
    });
    expect(own.cacher.revision).to.equal(0);
  });

  it('does not wait for a revision that it cannot reach any more', async () => {
    own.cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    const waiting = own.cacher.reach(1);
    await own.cacher.close();
    for (const late of [waiting, own.cacher.reach(1)]) await expectCode(late, 'closed');
    await own.cacher.reach(0);
  });

  it('reads the log itself only if nobody else does, and as far as it must', async () => {
    for (const shared of [true, false]) {
      const store = openMemory(memoryStore(), Date.now, shared);
      let tails = 0;
      const counted = around(store, {
        tail: (after, signal) => {
          tails++;
          return store.tail(after, signal);
        },
      });
      const opened = await Cacher.open(counted, { definitions: DEFINITIONS });
      await opened.catchUp(0);
      expect(tails).to.equal(shared ? 1 : 0);
      await write(store, ['a']);
      await write(store, ['b']);
      await opened.catchUp(2);
      await opened.catchUp(2);
      expect([opened.revision, tails, opened.shared]).to.deep.equal([2, 1, shared]);
      await opened.close();
      await store.close();
    }
  });

  it('ends a wait for the log when the signal aborts, and when it is closed, also if it reads the log itself', async () => {
    for (const shared of [true, false]) {
      const store = openMemory(memoryStore(), Date.now, shared);
      const opened = await Cacher.open(store, { definitions: DEFINITIONS });
      const stop = new AbortController();
      const given = opened.catchUp(5, stop.signal);
      stop.abort(new Error('too long'));
      expect(await given.catch(String)).to.equal('Error: too long');
      expect(await opened.catchUp(5, stop.signal).catch(String)).to.equal('Error: too long');
      const waiting = opened.catchUp(5, new AbortController().signal);
      await Promise.all([expectCode(waiting, 'closed'), opened.close()]);
      await store.close();
    }
  });

  it('publishes what this server has appended, and has no state of the future', async () => {
    own.cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    const [at, draft] = [key(FOLDERS, 'a'), own.cacher.state.draft()];
    const value = encodeText(JSON.stringify(objectAt(at, {})), 1);
    const entry = new MemoryEntry(at, 1, value, { labels: undefined, fields: undefined });
    draft.put(FOLDERS, entry);
    own.cacher.publish(draft.finish(1, new Map()), [{ key: at, revision: 1, entry, previous: undefined }]);
    expect([own.cacher.revision, names(own.cacher)]).to.deep.equal([1, ['a']]);
    expect(own.cacher.published).to.equal(own.cacher.state);
    expect(own.cacher.ring(FOLDERS).at(0)).to.deep.equal({ key: at, revision: 1, current: entry, previous: undefined });
    expect(() => own.cacher?.past.at(FOLDERS, 2)).to.throw(StorageError, 'revision 2 has not happened yet');
  });

  it('takes up a commit once, although the log gives it again', async () => {
    const twice = around(own.backend, {
      tail: async function* (after, signal) {
        for await (const commit of own.backend.tail(after, signal)) yield* [commit, commit];
      },
    });
    own.cacher = await Cacher.open(twice, { definitions: DEFINITIONS });
    for (const name of ['a', 'b']) await write(own.backend, [name]);
    await own.cacher.fresh();
    expect(own.cacher.ring(FOLDERS).end).to.equal(2);
  });

  it('says why it could not load again, and goes on; a cache that is closed says nothing', async () => {
    const errors: unknown[] = [];
    const unreadable = (compacted: () => void) =>
      around(own.backend, {
        tail: () => {
          throw new StorageError('compacted', 'on purpose');
        },
        compacted: async () => {
          await new Promise(setImmediate);
          compacted();
          throw new StorageError('unavailable', 'on purpose');
        },
      });
    const opened = async (compacted: () => void = () => undefined, onError?: (error: unknown) => void) => {
      own.cacher = await Cacher.open(unreadable(compacted), { definitions: DEFINITIONS, ...(onError && { onError }) });
      for (let i = 0; i < 5; i++) await new Promise(setImmediate);
      await own.cacher.close();
      return errors.splice(0).map((error) => (error as StorageError).code);
    };
    const note = (error: unknown): number => errors.push(error);
    expect(await opened(undefined, note)).to.deep.equal(['compacted', 'unavailable']);
    expect(await opened(() => void own.cacher?.close(), note)).to.deep.equal(['compacted']);
    expect(await opened(), 'nobody listens').to.deep.equal([]);
  });
});
