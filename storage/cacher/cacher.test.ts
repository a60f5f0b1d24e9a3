import { expect } from 'chai';
import type { Backend, Put } from '../backend.js';
import { encodeText } from '../codec.js';
import { StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { batchOf, expectCode } from '../testing/backend/fixture.js';
import { around, Gate } from '../testing/engine/around.js';
import { DEFINITIONS, FOLDERS, key, NOTES, objectAt } from '../testing/engine/resources.js';
import { watch } from '../testing/engine/watch-steps.js';
import { Cacher } from './cacher.js';

/** Writes of another server, directly into the log. */
async function write(backend: Backend, names: readonly string[], text?: string): Promise<void> {
  const after = await backend.end();
  const changes = names.map((name, i): Put => {
    const at = name.includes('/') ? keyOf('unknown.newer', '', name.slice(1)) : key(FOLDERS, name);
    const revision = after + i + 1;
    return { key: at, revision, value: encodeText(text ?? JSON.stringify(objectAt(at, {})), revision) };
  });
  await backend.append(after, batchOf(changes));
}

const names = (cacher: Cacher): readonly string[] =>
  [...cacher.state.resource(FOLDERS).entries(FOLDERS, '~')].map((entry) =>
    entry.key.slice(entry.key.lastIndexOf('/') + 1),
  );

describe('Cacher', () => {
  let backend: Backend;
  let cacher: Cacher | undefined;
  beforeEach(() => {
    backend = openMemory(memoryStore(), Date.now, true);
  });
  afterEach(async () => {
    await cacher?.close();
    cacher = undefined;
    await backend.close();
  });

  it('loads exactly the end of the log while others write and delete', async () => {
    await write(backend, ['a', 'b', 'c']);
    let loads = 0;
    const busy = around(backend, {
      load: async function* (resource) {
        for await (const chunk of backend.load(resource)) {
          if (loads++ === 0) {
            await write(backend, ['d']);
            const at = key(FOLDERS, 'b');
            const previous = (await backend.get([at])).get(at);
            await backend.append(4, batchOf([{ key: at, revision: 5, ...(previous && { previous }) }]));
            await write(backend, ['b2']);
          }
          yield chunk;
        }
      },
    });
    cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect([cacher.state.revision, names(cacher)]).to.deep.equal([6, ['a', 'b2', 'c', 'd']]);
    expect(cacher.at(FOLDERS, 3).size).to.equal(3);
    expect(cacher.at(FOLDERS, 4).size).to.equal(4);
  });

  it('loads again if a compaction removes changes that it has not read yet', async () => {
    await write(backend, ['a']);
    let times = 0;
    const busy = around(backend, {
      counters: async () => {
        if (times++ === 0) {
          await write(backend, ['b', 'c']);
          await backend.compact(3);
        }
        return backend.counters();
      },
    });
    cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect([cacher.state.revision, names(cacher)]).to.deep.equal([3, ['a', 'b', 'c']]);
  });

  it('loads again if a compaction runs between its check and its read of the log', async () => {
    await write(backend, ['a']);
    let times = 0;
    const busy = around(backend, {
      tail: (after, signal) => {
        if (times++ > 0) return backend.tail(after, signal);
        return (async function* () {
          await backend.compact(1);
          yield* backend.tail(after, signal);
        })();
      },
    });
    cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect([cacher.state.revision, names(cacher)]).to.deep.equal([1, ['a']]);
  });

  it('ends a watch that is open across a load, because the changes between are unknown', async () => {
    const gate = new Gate();
    const shaky = around(backend, {
      tail: async function* (after, signal) {
        await gate.pass();
        yield* backend.tail(after, signal);
      },
    });
    gate.shut();
    cacher = await Cacher.open(shaky, { definitions: DEFINITIONS });
    const { signal } = new AbortController();
    const ended = [undefined, { key: key(FOLDERS, 'a') }].map(async (part) => {
      const options = { resource: FOLDERS, after: 0, selects: () => true, signal, part };
      for await (const { deliveries } of watch(cacher as Cacher, options)) expect(deliveries).to.deep.equal([]);
    });
    await write(backend, ['a', 'b']);
    await backend.compact(2);
    gate.open();
    for (const end of ended) await expectCode(end, 'compacted');
  });

  it('loads the newest ids, and takes up no objects that it does not keep, while others write', async () => {
    const note = key(NOTES, 'n');
    const values = [keyOf('unknown.newer', '', 'x'), note].map((at, i): Put => {
      return { key: at, revision: i + 3, value: encodeText(JSON.stringify(objectAt(at, {})), i + 3) };
    });
    const busy = around(backend, {
      counters: async () => {
        for (const id of [5, 6]) {
          const change = { key: key(FOLDERS, `f${id}`), revision: id - 4 };
          const value = encodeText(JSON.stringify(objectAt(change.key, {})), change.revision);
          await backend.append(id - 5, batchOf([{ ...change, value }], { [FOLDERS]: id }));
        }
        await backend.append(2, batchOf(values));
        return backend.counters();
      },
    });
    cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect(cacher.state.counters.get(FOLDERS)).to.equal(6);
    expect([cacher.state.revision, names(cacher)]).to.deep.equal([4, ['f5', 'f6']]);
    expect(cacher.ring(NOTES).end).to.equal(1);
    expect(() => cacher?.resource(NOTES).get(note)).to.throw();
  });

  it('reports why it cannot be opened', async () => {
    const unavailable = () => Promise.reject(new StorageError('unavailable', 'on purpose'));
    const away = around(backend, { counters: unavailable });
    await expectCode(Cacher.open(away, { definitions: DEFINITIONS }), 'unavailable');
    const unread = around(backend, {
      counters: async () => {
        await write(backend, ['a']);
        return backend.counters();
      },
      tail: async function* (after, signal) {
        await unavailable();
        yield* backend.tail(after, signal);
      },
    });
    await expectCode(Cacher.open(unread, { definitions: DEFINITIONS }), 'unavailable');
  });

  it('skips changes of resources that only a newer server knows', async () => {
    cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
    await write(backend, ['a', '/x', 'b']);
    await cacher.fresh();
    expect([cacher.state.revision, names(cacher)]).to.deep.equal([3, ['a', 'b']]);
    expect(cacher.ring(FOLDERS).end).to.equal(2);
    expect(() => cacher?.ring('unknown.newer')).to.throw(/not declared/);
  });

  it('continues at its position after following the log fails', async () => {
    const errors: unknown[] = [];
    let failures = 0;
    const shaky = around(backend, {
      tail: async function* (after, signal) {
        for await (const commit of backend.tail(after, signal)) {
          yield commit;
          if (failures++ < 2) throw new StorageError('unavailable', 'on purpose');
        }
      },
    });
    cacher = await Cacher.open(shaky, { definitions: DEFINITIONS, onError: (error) => errors.push(error) });
    for (const name of ['a', 'b', 'c', 'd']) await write(backend, [name]);
    await cacher.fresh();
    expect(names(cacher)).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(cacher.ring(FOLDERS).end).to.equal(4);
    expect(errors).to.have.length(2);
  });

  it('publishes nothing of a commit with a change that cannot be read, not even events', async () => {
    const failed = new Promise<unknown>((resolve) => {
      void Cacher.open(backend, { definitions: DEFINITIONS, onError: resolve }).then(async (opened) => {
        cacher = opened;
        const good = key(FOLDERS, 'good');
        const bad = key(FOLDERS, 'bad');
        await backend.append(
          0,
          batchOf([
            { key: good, revision: 1, value: encodeText(JSON.stringify(objectAt(good, {})), 1) },
            { key: bad, revision: 2, value: Buffer.from('no JSON') },
          ]),
        );
      });
    });
    expect(await failed).to.be.instanceOf(SyntaxError);
    expect([cacher?.state.revision, cacher?.ring(FOLDERS).end]).to.deep.equal([0, 0]);
  });

  it('does not loop busily if the store is closed first', async () => {
    let tails = 0;
    const ended = around(backend, {
      tail: async function* (after, signal) {
        // A busy loop would let nothing else run, so this test could never fail.
        if (++tails > 1000) await new Promise(setImmediate);
        if (tails === 0) yield* backend.tail(after, signal);
      },
    });
    cacher = await Cacher.open(ended, { definitions: DEFINITIONS });
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
      cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
    } finally {
      globalThis.setInterval = real;
    }
    let woken = 0;
    for (const place of [{}, { namespace: 'quiet' }]) {
      cacher.ring(FOLDERS).watchers.add({ wake: () => woken++, note: () => undefined }, place);
    }
    ticks.get(1000)?.();
    expect(woken).to.equal(2);
  });

  it('stops waiting for a revision when the signal aborts', async () => {
    cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
    const controller = new AbortController();
    const reason = new Error('gone');
    const waiting = cacher.reach(1, controller.signal).catch((error: unknown) => error);
    controller.abort(reason);
    expect(await waiting).to.equal(reason);
  });
});
