import { expect } from 'chai';
import type { Put } from '../backend.js';
import { StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { encodeText } from '../state/codec.js';
import { batchOf, expectCode } from '../testing/backend/fixture.js';
import { around } from '../testing/engine/around.js';
import { names, write } from '../testing/engine/foreign.js';
import { eachCacher } from '../testing/engine/own-cacher.js';
import { DEFINITIONS, FOLDERS, key, NOTES, objectAt } from '../testing/engine/resources.js';
import { Cacher } from './cacher.js';

describe('the load of the state', () => {
  const own = eachCacher();

  it('loads exactly the end of the log while others write and delete', async () => {
    await write(own.backend, ['a', 'b', 'c']);
    let loads = 0;
    const busy = around(own.backend, {
      load: async function* (resource) {
        for await (const chunk of own.backend.load(resource)) {
          if (loads++ === 0) {
            await write(own.backend, ['d']);
            const at = key(FOLDERS, 'b');
            const previous = (await own.backend.get([at])).get(at);
            await own.backend.append(4, batchOf([{ key: at, revision: 5, ...(previous && { previous }) }]));
            await write(own.backend, ['b2']);
          }
          yield chunk;
        }
      },
    });
    own.cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect([own.cacher.state.revision, names(own.cacher)]).to.deep.equal([6, ['a', 'b2', 'c', 'd']]);
    expect(own.cacher.past.at(FOLDERS, 3).size).to.equal(3);
    expect(own.cacher.past.at(FOLDERS, 4).size).to.equal(4);
  });

  it('loads again if a compaction removes changes that it has not read yet', async () => {
    await write(own.backend, ['a']);
    let times = 0;
    const busy = around(own.backend, {
      counters: async () => {
        if (times++ === 0) {
          await write(own.backend, ['b', 'c']);
          await own.backend.compact(3);
        }
        return own.backend.counters();
      },
    });
    own.cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect([own.cacher.state.revision, names(own.cacher)]).to.deep.equal([3, ['a', 'b', 'c']]);
  });

  it('loads again if a compaction runs between its check and its read of the log', async () => {
    await write(own.backend, ['a']);
    let times = 0;
    const busy = around(own.backend, {
      tail: (after, signal) => {
        if (times++ > 0) return own.backend.tail(after, signal);
        return (async function* () {
          await own.backend.compact(1);
          yield* own.backend.tail(after, signal);
        })();
      },
    });
    own.cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect([own.cacher.state.revision, names(own.cacher)]).to.deep.equal([1, ['a']]);
  });

  it('loads the newest ids, and takes up no objects that it does not keep, while others write', async () => {
    const note = key(NOTES, 'n');
    const values = [keyOf('unknown.newer', '', 'x'), note].map((at, i): Put => {
      return { key: at, revision: i + 3, value: encodeText(JSON.stringify(objectAt(at, {})), i + 3) };
    });
    const busy = around(own.backend, {
      counters: async () => {
        for (const id of [5, 6]) {
          const change = { key: key(FOLDERS, `f${id}`), revision: id - 4 };
          const value = encodeText(JSON.stringify(objectAt(change.key, {})), change.revision);
          await own.backend.append(id - 5, batchOf([{ ...change, value }], { [FOLDERS]: id }));
        }
        await own.backend.append(2, batchOf(values));
        return own.backend.counters();
      },
    });
    own.cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect(own.cacher.state.counters.get(FOLDERS)).to.equal(6);
    expect([own.cacher.state.revision, names(own.cacher)]).to.deep.equal([4, ['f5', 'f6']]);
    expect(own.cacher.ring(NOTES).end).to.equal(1);
    expect(own.cacher.resource(NOTES).get(note)?.revision).to.equal(4);
  });

  it('reports why it cannot be opened', async () => {
    const unavailable = () => Promise.reject(new StorageError('unavailable', 'on purpose'));
    const away = around(own.backend, { counters: unavailable });
    await expectCode(Cacher.open(away, { definitions: DEFINITIONS }), 'unavailable');
    const unread = around(own.backend, {
      counters: async () => {
        await write(own.backend, ['a']);
        return own.backend.counters();
      },
      tail: async function* (after, signal) {
        await unavailable();
        yield* own.backend.tail(after, signal);
      },
    });
    await expectCode(Cacher.open(unread, { definitions: DEFINITIONS }), 'unavailable');
  });

  it('loads an id that was given while it loaded', async () => {
    const busy = around(own.backend, {
      counters: async () => {
        const counters = await own.backend.counters();
        const at = key(FOLDERS, 'a');
        const value = encodeText(JSON.stringify(objectAt(at, {})), 1);
        await own.backend.append(0, batchOf([{ key: at, revision: 1, value }], { [FOLDERS]: 1 }));
        return counters;
      },
    });
    own.cacher = await Cacher.open(busy, { definitions: DEFINITIONS });
    expect(own.cacher.state.counters.get(FOLDERS)).to.equal(1);
  });

  it('does not open if the store is closed while it loads', async () => {
    const closing = around(own.backend, {
      counters: async () => {
        await write(own.backend, ['a']);
        return own.backend.counters();
      },
      tail: async function* (after, signal) {
        if (signal.aborted) yield* own.backend.tail(after, signal);
      },
    });
    await expectCode(Cacher.open(closing, { definitions: DEFINITIONS }), 'closed');
  });
});
