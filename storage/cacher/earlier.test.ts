import { expect } from 'chai';
import type { Backend, Put } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { encodeText } from '../state/codec.js';
import { batchOf, expectCode } from '../testing/backend/fixture.js';
import { around } from '../testing/engine/around.js';
import { DEFINITIONS, FOLDERS, key, NOTES, objectAt } from '../testing/engine/resources.js';
import { Cacher } from './cacher.js';
import type { RingLimits } from './ring.js';

const WIDE: RingLimits = { events: 1000, bytes: 1 << 24 };

describe('the states of earlier revisions', () => {
  let time: number;
  let backend: Backend;
  let cacher: Cacher;

  beforeEach(() => {
    time = 0;
    backend = openMemory(memoryStore(), () => time, false);
  });

  afterEach(async () => {
    await cacher.close();
    await backend.close();
  });

  async function open(ringLimits = WIDE, from = backend): Promise<void> {
    cacher = await Cacher.open(from, { definitions: DEFINITIONS, ringLimits });
  }

  /** A commit for each key: a new object, or the deletion of the object that is there. */
  async function toggle(...keys: readonly Key[]): Promise<void> {
    for (const at of keys) {
      const after = await backend.end();
      const previous = (await backend.get([at])).get(at);
      const value = encodeText(JSON.stringify(objectAt(at, {})), after + 1);
      await backend.append(
        after,
        batchOf([{ key: at, revision: after + 1, ...(previous ? { previous } : { value }) }]),
      );
    }
    await cacher.catchUp(await backend.end());
  }

  const folders = (...names: readonly string[]): readonly Key[] => names.map((name) => key(FOLDERS, name));

  it('are there as long as the changes since are in memory, or a state was kept', async () => {
    await open({ ...WIDE, events: 2 });
    await toggle(...folders('a', 'b', 'c', 'd'));
    expect([1, 2, 4].map((revision) => cacher.past.has(FOLDERS, revision))).to.deep.equal([false, true, true]);
    cacher.past.keep(FOLDERS, 2, cacher.past.at(FOLDERS, 2));
    await toggle(...folders('e'));
    expect([1, 2, 3].map((revision) => cacher.past.has(FOLDERS, revision))).to.deep.equal([false, true, true]);
    expect([cacher.past.at(FOLDERS, 2).size, cacher.past.at(FOLDERS, 3).size]).to.deep.equal([2, 3]);
    expect(() => cacher.past.at(FOLDERS, 1)).to.throw(StorageError, /too old/);
  });

  it('are kept beside each other', async () => {
    await open({ ...WIDE, events: 2 });
    await toggle(...folders('a', 'b', 'c'));
    for (const revision of [2, 3]) cacher.past.keep(FOLDERS, revision, cacher.past.at(FOLDERS, revision));
    await toggle(...folders('d', 'e', 'f'));
    expect([1, 2, 3, 4].map((revision) => cacher.past.has(FOLDERS, revision))).to.deep.equal([false, true, true, true]);
    expect([2, 3].map((revision) => cacher.past.at(FOLDERS, revision).size)).to.deep.equal([2, 3]);
  });

  it('are kept if many changes were undone for them, and others are made from those', async () => {
    await open({ ...WIDE, events: 2000 });
    const changes = folders(...Array.from({ length: 1200 }, (_, i) => `n${i}`)).map((at, i): Put => {
      return { key: at, revision: i + 1, value: encodeText(JSON.stringify(objectAt(at, {})), i + 1) };
    });
    await backend.append(0, batchOf(changes));
    await cacher.catchUp(1200);
    const kept = (revision: number): readonly number[] => {
      expect(cacher.past.at(FOLDERS, revision).size).to.equal(revision);
      return cacher.recent.keptStates.all().map((one) => one.revision);
    };
    expect(kept(201)).to.deep.equal([]);
    expect(kept(100)).to.deep.equal([100]);
    for (const near of [99, 101, 900]) expect(kept(near), `${near}`).to.deep.equal([100]);
  });

  it('cost nothing as long as they are the newest', async () => {
    await open();
    await toggle(...folders('a', 'b'));
    cacher.past.keep(FOLDERS, 2, cacher.past.at(FOLDERS, 2));
    expect(cacher.recent.sizes()).to.include({ keptStates: 1, keptBytes: 0 });
  });

  it('cost the same however often they are kept', async () => {
    await open({ ...WIDE, events: 2 });
    await toggle(...folders('a', 'b'));
    cacher.past.keep(FOLDERS, 2, cacher.past.at(FOLDERS, 2));
    await toggle(...folders('a', 'b', 'a', 'b'));
    const before = cacher.recent.sizes();
    expect(before.keptBytes).to.be.greaterThan(0);
    cacher.past.keep(FOLDERS, 2, cacher.past.at(FOLDERS, 2));
    expect(cacher.recent.sizes()).to.deep.equal(before);
  });

  it('are found by the clock of the store', async () => {
    await open();
    await toggle(...folders('a', 'b'));
    time = 1000;
    await toggle(...folders('c'));
    expect(await cacher.revisionBefore(500)).to.equal(2);
    expect(await cacher.revisionBefore(1000)).to.equal(0);
  });

  it('have each object once and in order in pages of any size that are made from the log', async () => {
    await open();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => key(NOTES, name));
    await toggle(...names);
    const { revision } = cacher;
    await toggle(...names.slice(0, 5), key(NOTES, 'g'));
    const range = { low: `${NOTES}/`, high: `${NOTES}0` };
    for (const limit of [1, 2, 3, 10]) {
      const found: string[] = [];
      for (let low: string = range.low; ; ) {
        const page = await cacher.past.page(NOTES, revision, { ...range, low }, limit);
        found.push(...page.map((entry) => entry.key));
        if (page.length < limit) break;
        low = `${page.at(-1)?.key}\0`;
      }
      expect(found, `${limit} at once`).to.deep.equal(names);
    }
    await expectCode(cacher.past.page(NOTES, cacher.revision + 1, range, 1), 'future');
    await backend.compact(revision + 1);
    await expectCode(cacher.past.page(NOTES, revision, range, 1), 'compacted');
  });

  it('are read from resources that are declared only', async () => {
    await open();
    const range = { low: '', high: '\uffff' };
    expect(await cacher.past.page('unknown.newer', 0, range, 1).catch(String)).to.include('not declared');
    expect(() => cacher.past.commits('unknown.newer', 0)).to.throw(/not declared/);
  });

  it('are refused with the reason for which the log cannot be read', async () => {
    const failing = around(backend, {
      tail: () => ({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new StorageError('unavailable', 'on purpose')) }),
      }),
    });
    await open(WIDE, failing);
    const read = async (): Promise<void> => {
      for await (const commit of cacher.past.commits(FOLDERS, 0)) expect(commit).to.equal(undefined);
    };
    await expectCode(read(), 'unavailable');
    await cacher.close();
    await open();
    await toggle(...folders('a', 'b'));
    await backend.compact(2);
    const error = await read().catch((reason: unknown) => reason as Error);
    expect(String(error)).to.include('too old resource version: 0 (2)');
    expect((error as Error).cause, 'for the log of the server').to.be.instanceOf(StorageError);
  });

  it('are followed by all later commits until the caller goes away', async () => {
    await open();
    await toggle(...folders('a'));
    const caller = new AbortController();
    let ends: readonly number[] = [];
    const reading = (async () => {
      for await (const { end } of cacher.past.commits(FOLDERS, 0, caller.signal)) ends = [...ends, end];
      return 'ended';
    })();
    await toggle(...folders('b'));
    for (let i = 0; i < 5; i++) await new Promise(setImmediate);
    caller.abort();
    const late = new Promise((resolve) => setTimeout(resolve, 50, 'still reading'));
    expect([await Promise.race([reading, late]), ends]).to.deep.equal(['ended', [1, 2]]);
  });

  it('are followed by changes of their resource only', async () => {
    await open();
    await toggle(...folders('a'), key(NOTES, 'n'), ...folders('b'));
    const found: (readonly Key[])[] = [];
    for await (const { end, events } of cacher.past.commits(FOLDERS, 0)) {
      found.push(events.map((event) => event.key));
      if (end === 3) break;
    }
    expect(found).to.deep.equal([folders('a'), [], folders('b')]);
  });

  it('need no wait to be fresh in a store without other servers', async () => {
    await open();
    const at = key(FOLDERS, 'a');
    await backend.append(
      0,
      batchOf([{ key: at, revision: 1, value: encodeText(JSON.stringify(objectAt(at, {})), 1) }]),
    );
    await cacher.fresh({ signal: AbortSignal.abort(new Error('it waits')) });
    expect(cacher.revision).to.equal(0);
  });
});
