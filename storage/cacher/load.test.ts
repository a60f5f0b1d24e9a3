import { expect } from 'chai';
import type { Backend, Put } from '../backend.js';
import { encodeText } from '../codec.js';
import { StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { batchOf, expectCode } from '../testing/backend/fixture.js';
import { around } from '../testing/engine/around.js';
import { names, write } from '../testing/engine/foreign.js';
import { DEFINITIONS, FOLDERS, key, NOTES, objectAt } from '../testing/engine/resources.js';
import { Cacher } from './cacher.js';

describe('the load of the state', () => {
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

  it('loads an id that was given while it loaded', async () => {
    const busy = around(backend, {
      counters: async () => {
        const counters = await backend.counters();
        const at = key(FOLDERS, 'a');
        const value = encodeText(JSON.stringify(objectAt(at, {})), 1);
        await backend.append(0, batchOf([{ key: at, revision: 1, value }], { [FOLDERS]: 1 }));
        return counters;
      },
    });
    cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect(cacher.state.counters.get(FOLDERS)).to.equal(1);
  });

  it('does not open if the store is closed while it loads', async () => {
    const closing = around(backend, {
      counters: async () => {
        await write(backend, ['a']);
        return backend.counters();
      },
      tail: async function* (after, signal) {
        if (signal.aborted) yield* backend.tail(after, signal);
      },
    });
    await expectCode(Cacher.open(closing, { definitions: DEFINITIONS }), 'closed');
  });
});
