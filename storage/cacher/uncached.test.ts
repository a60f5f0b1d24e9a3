import { expect } from 'chai';
import type { Backend, IndexRange, Put } from '../backend.js';
import { encodeText } from '../codec.js';
import type { Key } from '../key.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { batchOf, expectCode } from '../testing/backend/fixture.js';
import { around, Gate, lagging } from '../testing/engine/around.js';
import { DEFINITIONS, key, NOTES, objectAt } from '../testing/engine/resources.js';
import { encodeTuple } from '../tuple.js';
import { Cacher } from './cacher.js';
import { RING_LIMITS } from './ring.js';
import { UncachedReader } from './uncached.js';

const ALL: IndexRange = { from: '', to: '\uffff', limit: Number.POSITIVE_INFINITY };
const noteKeys = (count: number): readonly Key[] =>
  Array.from({ length: count }, (_, i) => key(NOTES, `n${String(i).padStart(4, '0')}`));

describe('UncachedReader', () => {
  let memory: Backend;
  let cacher: Cacher;
  let reader: UncachedReader;
  /** The limits of the ranges that were read from the store, in this order. */
  let reads: number[];

  /** A store with these notes, and with commits after it that delete some of them. */
  async function open(count: number, { shared = false, events = RING_LIMITS.events } = {}): Promise<void> {
    memory = openMemory(memoryStore(), Date.now, shared);
    reads = [];
    const backend = around(memory, {
      range: (resource, range) => {
        reads.push(range.limit);
        return memory.range(resource, range);
      },
    });
    const changes = noteKeys(count).map((at, i): Put => {
      return { key: at, revision: i + 1, value: encodeText(JSON.stringify(objectAt(at, {})), i + 1) };
    });
    if (count > 0) await memory.append(0, batchOf(changes));
    cacher = await Cacher.open(backend, { definitions: DEFINITIONS, ringLimits: { ...RING_LIMITS, events } });
    reader = new UncachedReader(backend, cacher);
  }

  async function remove(...keys: readonly Key[]): Promise<void> {
    for (const at of keys) {
      const after = await memory.end();
      const previous = (await memory.get([at])).get(at);
      await memory.append(after, batchOf([{ key: at, revision: after + 1, ...(previous && { previous }) }]));
    }
    await cacher.catchUp(await memory.end());
  }

  afterEach(async () => {
    await cacher.close();
    await memory.close();
  });

  /** How many reads of the store there were when each chunk was there. */
  async function readsByChunk(range: IndexRange, first?: number): Promise<readonly number[]> {
    const found: number[] = [];
    const options = first === undefined ? {} : { first };
    for await (const rows of reader.chunks(NOTES, range, options)) {
      expect(rows).to.not.equal(undefined);
      found.push(reads.length);
    }
    return found;
  }

  it('reads no more rows than it was asked for', async () => {
    await open(1000);
    expect(await reader.range(NOTES, { ...ALL, limit: 10 })).to.have.length(10);
    expect(reads.splice(0)).to.deep.equal([10]);
    await readsByChunk({ ...ALL, limit: 3 });
    expect(reads.splice(0)).to.deep.equal([3]);
    expect(await reader.range(NOTES, { ...ALL, limit: 700 })).to.have.length(700);
    expect(reads.splice(0)).to.deep.equal([500, 200]);
    await readsByChunk({ ...ALL, to: key(NOTES, 'n0003') });
    expect(reads, 'the end of the range is seen in a chunk that is not full').to.deep.equal([100]);
  });

  it('reads at least a hundred rows after the first, and gives only what was asked for', async () => {
    await open(1000);
    expect(await reader.range(NOTES, { ...ALL, limit: 550 })).to.have.length(550);
    expect(reads).to.deep.equal([500, 100]);
  });

  it('reads chunks that grow, up to 500', async () => {
    await open(2000);
    await readsByChunk(ALL, 1);
    expect(reads).to.deep.equal([1, 100, 200, 400, 500, 500, 500]);
  });

  it('reads ahead of a reader that asked for a second large chunk, if the store is not in this process', async () => {
    await open(2000, { shared: true });
    expect((await readsByChunk(ALL)).slice(0, 3)).to.deep.equal([1, 3, 4]);
    reads = [];
    expect((await readsByChunk(ALL, 1)).slice(0, 4)).to.deep.equal([1, 2, 4, 5]);
    reads = [];
    expect((await readsByChunk(ALL, 500)).slice(0, 2), 'the chunks do not grow').to.deep.equal([1, 2]);
    reads = [];
    expect(await readsByChunk({ ...ALL, limit: 300 }), 'nothing is left').to.deep.equal([1, 2]);
  });

  it('does not read ahead in a store in this process', async () => {
    await open(1000);
    expect((await readsByChunk(ALL)).slice(0, 3)).to.deep.equal([1, 2, 3]);
  });

  it('gives the rows of an earlier revision in both orders, also those that are gone', async () => {
    await open(5);
    const keys = noteKeys(5);
    await remove(...keys.slice(1, 4));
    for (const limit of [2, 10]) {
      const rows = async (range: IndexRange) => (await reader.range(NOTES, range, 5)).map(({ rowKey }) => rowKey);
      expect(await rows({ ...ALL, limit })).to.deep.equal(keys.slice(0, limit));
      expect(await rows({ ...ALL, limit, reverse: true })).to.deep.equal(keys.toReversed().slice(0, limit));
    }
  });

  it('gives the same if the changes since have left the memory, and are in several commits of the log', async () => {
    await open(5, { events: 1 });
    const keys = noteKeys(5);
    await remove(...keys.slice(0, 3));
    expect(cacher.ring(NOTES).floor).to.equal(7);
    expect((await reader.range(NOTES, { ...ALL, limit: 10 }, 5)).map(({ rowKey }) => rowKey)).to.deep.equal(keys);
  });

  it('ends with an error if the cache is closed while it reads the log', async () => {
    await open(3, { events: 1 });
    await remove(...noteKeys(3));
    const range = memory.range.bind(memory);
    const closing = around(memory, {
      range: async (resource, asked) => {
        const rows = await range(resource, asked);
        await cacher.close();
        return rows;
      },
    });
    await expectCode(new UncachedReader(closing, cacher).range(NOTES, { ...ALL, limit: 10 }, 3), 'closed');
  });

  it('gives the rows of a revision although changes leave the memory while they are read', async () => {
    await open(5, { events: 1 });
    const keys = noteKeys(5);
    const busy = around(memory, {
      range: async (resource, asked) => {
        await remove(...keys.slice(1, 4));
        return memory.range(resource, asked);
      },
    });
    const rows = await new UncachedReader(busy, cacher).range(NOTES, { ...ALL, limit: 10 }, 5);
    expect(rows.map(({ rowKey }) => rowKey)).to.deep.equal(keys);
  });

  it('reads the log up to its end, if nothing of it is in memory', async () => {
    await open(5);
    const keys = noteKeys(5);
    await remove(...keys.slice(0, 3));
    await cacher.close();
    cacher = await Cacher.open(memory, { definitions: DEFINITIONS, ringLimits: { ...RING_LIMITS, events: 2 } });
    expect(cacher.ring(NOTES).floor).to.equal(8);
    const rows = await new UncachedReader(memory, cacher).range(NOTES, { ...ALL, limit: 10 }, 5);
    expect(rows.map(({ rowKey }) => rowKey)).to.deep.equal(keys);
  });

  it('has no rows of the future', async () => {
    await open(1);
    await expectCode(reader.range(NOTES, ALL, 2), 'future');
  });

  it('gets an object when the cache has reached it, or its deletion, and asks nobody if it has', async () => {
    await open(1, { shared: true });
    const [at = key(NOTES, '')] = noteKeys(1);
    const gate = new Gate();
    let asked = 0;
    const behind = around(lagging(memory, gate), {
      end: () => {
        asked++;
        return memory.end();
      },
    });
    await cacher.close();
    cacher = await Cacher.open(behind, { definitions: DEFINITIONS });
    const notes = new UncachedReader(behind, cacher);
    asked = 0;
    expect([(await notes.get(at))?.revision, asked]).to.deep.equal([1, 0]);
    gate.shut();
    const value = encodeText(JSON.stringify(objectAt(at, { text: 'new' })), 2);
    const [previous] = (await memory.get([at])).values();
    await memory.append(1, batchOf([{ key: at, revision: 2, value, ...(previous && { previous }) }]));
    const got = notes.get(at);
    setImmediate(() => gate.open());
    expect([(await got)?.revision, cacher.revision]).to.deep.equal([2, 2]);
    gate.shut();
    await memory.append(2, batchOf([{ key: at, revision: 3, previous: { key: at, revision: 2, value } }]));
    const gone = notes.get(at);
    setImmediate(() => gate.open());
    expect([await gone, cacher.revision]).to.deep.equal([undefined, 3]);
  });

  it('counts the newest objects, which the cache has reached then', async () => {
    await open(0, { shared: true });
    const gate = new Gate();
    await cacher.close();
    cacher = await Cacher.open(lagging(memory, gate), { definitions: DEFINITIONS });
    gate.shut();
    const [at, tuple] = [key(NOTES, 'a'), encodeTuple(['x'])];
    const value = encodeText(JSON.stringify(objectAt(at, { parent: 'x' })), 1);
    const rows = [{ index: 'parent', tuple, counted: tuple }];
    await memory.append(0, batchOf([{ key: at, revision: 1, value, rows }]));
    const counted = new UncachedReader(memory, cacher).counts(NOTES, { ...ALL, limit: 10, index: 'parent' });
    setImmediate(() => gate.open());
    expect([await counted, cacher.revision]).to.deep.equal([[{ tuple, count: 1 }], 1]);
  });
});
