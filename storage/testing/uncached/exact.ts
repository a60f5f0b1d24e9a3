import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Backend, IndexRange } from '../../backend.js';
import { partsOf } from '../../key.js';
import { behind } from '../../range.js';
import { encodeTuple, rowKey } from '../../tuple.js';
import { expectCode, text } from '../backend/fixture.js';
import { around } from '../engine/around.js';
import { type Current, key, NOTES, plain, type Server, type Wish, whole } from './fixture.js';

function wish(name: string, time: number): Wish {
  return { at: key(name), spec: { time } };
}

function named(prefix: string, count: number, time: number): readonly Wish[] {
  return Array.from({ length: count }, (_, i) => wish(`${prefix}${String(i).padStart(4, '0')}`, time));
}

async function names(server: Server, range: IndexRange, revision?: number): Promise<readonly string[]> {
  const rows = await server.reader.range(NOTES, range, revision);
  return rows.map(({ entry }) => partsOf(entry.key).name);
}

/** Whether the promise settles within a short time. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, sleep(100, false)]);
}

export function exactSuite(current: Current): void {
  describe('range', () => {
    it('returns the rows of now, with attributes, and those of earlier revisions', async () => {
      const server = await current().start();
      await server.write([wish('a', 2), wish('b', 1)]);
      await server.write([wish('a', 0), { at: key('b') }, wish('c', 1)]);
      const range = whole('byTime');
      const [first] = await server.reader.range(NOTES, range);
      expect(first?.rowKey).to.equal(rowKey(encodeTuple([0]), key('a')));
      expect(first?.entry.attributes.fields).to.deep.equal({ time: '0' });
      expect(await names(server, range)).to.deep.equal(['a', 'c']);
      expect(await names(server, range, 0)).to.deep.equal([]);
      expect(await names(server, range, 1)).to.deep.equal(['a']);
      expect(await names(server, range, 2)).to.deep.equal(['b', 'a']);
      expect(await names(server, range, 3)).to.deep.equal(['a', 'b']);
      expect(await names(server, { ...whole(), limit: 1 }, 4)).to.deep.equal(['a']);
      expect(await names(server, { ...range, limit: 0 })).to.deep.equal([]);
    });

    for (const reverse of [false, true]) {
      it(`replaces rows that were written later, ${reverse ? 'descending' : 'ascending'}, with few reads`, async () => {
        let reads = 0;
        const count = async (): Promise<void> => {
          reads++;
        };
        const server = await current().start({ around: (backend) => afterRange(backend, count) });
        await server.write([wish('a', -1), wish('b', 0), wish('c', 1)]);
        const { revision } = server.cacher.state;
        for (const time of [-9, 0, 9]) await server.write(named(time === 0 ? 'b' : 'x', 700, time));
        const found = await names(server, { ...whole('byTime', 2), reverse }, revision);
        expect(found).to.deep.equal(reverse ? ['c', 'b'] : ['a', 'b']);
        // There are 2100 later rows.
        expect(reads).to.be.below(30);
      });
    }

    it('continues at the same revision on another server and after a restart', async () => {
      const a = await current().start();
      await a.write([...named('a', 5, 1), ...named('b', 5, 1)]);
      const { revision } = a.cacher.state;
      const range = whole('byTime', 4);
      const pages = [await a.reader.range(NOTES, range)];
      await a.write([wish('a0004', 0), { at: key('b0000') }, wish('a00045', 1), wish('b0003', 7)]);
      const b = await current().startAnother(a);
      await b.cacher.fresh();
      const next = (): IndexRange => behind(range, pages.at(-1)?.at(-1)?.rowKey ?? '');
      pages.push(await b.reader.range(NOTES, next(), revision));
      const restarted = await current().restart();
      pages.push(await restarted.reader.range(NOTES, next(), revision));
      expect(pages.flat().map(({ entry }) => partsOf(entry.key).name)).to.deep.equal(
        [...named('a', 5, 1), ...named('b', 5, 1)].map(({ at }) => partsOf(at).name),
      );
    });

    it('reads a revision that is older than the ring from the log, and refuses one that the log does not have', async () => {
      const server = await current().start({ ringLimits: { events: 3, bytes: 1 << 20 } });
      await server.write([wish('a', 1)]);
      await expectCode(server.reader.range(NOTES, whole(), 2), 'future');
      for (let i = 2; i <= 5; i++) await server.write([wish('a', i)]);
      expect(await names(server, whole(), 2)).to.deep.equal(['a']);
      const first = await server.reader.range(NOTES, whole('byTime'), 1);
      expect(first.map(({ entry }) => entry.revision)).to.deep.equal([1]);
      expect(await names(server, whole('byTime'), 0)).to.deep.equal([]);
      await server.backend.compact(1);
      expect(await names(server, whole(), 1)).to.deep.equal(['a']);
      await expectCode(server.reader.range(NOTES, whole(), 0), 'compacted');
    });

    it('reads a revision that leaves the ring during the read from the log', async () => {
      const server = await current().start({
        ringLimits: { events: 3, bytes: 1 << 20 },
        around: (backend) => afterRange(backend, () => server.write(named('a', 4, 1))),
      });
      await server.write([wish('a', 1)]);
      const [first, ...others] = await server.reader.range(NOTES, whole());
      expect([first?.entry.revision, others]).to.deep.equal([1, []]);
    });

    it('still reads a compacted revision while the ring has all later changes', async () => {
      const server = await current().start();
      await server.write([wish('a', 1), wish('b', 2)]);
      await server.write([wish('a', 3), { at: key('b') }]);
      await server.backend.compact(4);
      expect(await names(server, whole('byTime'), 2)).to.deep.equal(['a', 'b']);
      const restarted = await current().restart();
      await expectCode(restarted.reader.range(NOTES, whole('byTime'), 2), 'compacted');
      expect(await names(restarted, whole('byTime'), 4)).to.deep.equal(['a']);
    });

    it('resolves after the cache reached everything that was read', async function () {
      if (current().opened.another === undefined) this.skip();
      const { server: b, gate } = await current().startLagging();
      const a = await current().start();
      await a.write([wish('a', 1), wish('b', 2)]);
      await b.cacher.fresh();
      const before = plain(await b.reader.range(NOTES, whole('byTime')));
      gate.shut();
      await a.write([wish('a', 3), { at: key('b') }, wish('c', 0)]);
      const reading = b.reader.range(NOTES, whole('byTime'));
      expect(await isSettled(reading), 'resolved before the log arrived').to.equal(false);
      gate.open();
      expect(plain(await reading)).to.deep.equal(before);
    });

    it('refuses if compaction overtakes the cache during the read', async function () {
      if (current().opened.another === undefined) this.skip();
      const a = await current().start();
      const overtake = async (): Promise<void> => {
        gate.shut();
        await a.write([wish('a', 2), wish('b', 2)]);
        // A tail reads several commits at once. It must have read this one before the others exist.
        await gate.reached();
        for (let i = 1; i < 5; i++) await a.write([wish('a', i + 2), wish('b', i + 2)]);
        await a.backend.compact(8);
        gate.open();
      };
      const options = { around: (backend: Backend) => afterRange(backend, overtake) };
      const { server: b, gate } = await current().startLagging(options);
      await a.write([wish('a', 1), wish('b', 1)]);
      await b.cacher.fresh();
      await expectCode(b.reader.range(NOTES, whole('byTime')), 'compacted');
    });

    it('stops waiting for the log when the request is aborted', async function () {
      if (current().opened.another === undefined) this.skip();
      const { server: b, gate } = await current().startLagging();
      const a = await current().start();
      gate.shut();
      await a.write([wish('a', 1)]);
      const request = { signal: AbortSignal.timeout(50) };
      const failed = await b.reader.range(NOTES, whole(), 0, request).catch((error: unknown) => error);
      gate.open();
      expect(failed).to.equal(request.signal.reason);
    });
  });

  describe('get', () => {
    it('returns the current object, or undefined', async () => {
      const server = await current().start();
      expect(await server.reader.get(key('a'))).to.equal(undefined);
      await server.write([wish('a', 1)]);
      const entry = await server.reader.get(key('a'));
      expect(entry).to.deep.include({ key: key('a'), revision: 1 });
      expect(entry?.attributes.fields).to.deep.equal({ time: '1' });
      await server.write([{ at: key('a') }]);
      expect(await server.reader.get(key('a'))).to.equal(undefined);
    });

    it('returns, after fresh, what another server acknowledged', async () => {
      const a = await current().start();
      const b = await current().startAnother(a);
      for (let i = 1; i <= 20; i++) {
        await a.write([wish('a', i)]);
        await b.cacher.fresh();
        expect(text((await b.reader.get(key('a')))?.value ?? new Uint8Array())).to.contain(`"time":${i}}`);
      }
    });

    it('resolves after the cache reached what was read', async function () {
      if (current().opened.another === undefined) this.skip();
      const { server: b, gate } = await current().startLagging();
      const a = await current().start();
      await a.write([wish('a', 1), wish('b', 1), wish('c', 1)]);
      await b.cacher.fresh();
      gate.shut();
      await a.write([wish('a', 2), { at: key('b') }]);
      const [changed, removed] = [b.reader.get(key('a')), b.reader.get(key('b'))];
      expect((await b.reader.get(key('c')))?.revision, 'what did not change').to.equal(3);
      expect(await isSettled(Promise.race([changed, removed])), 'resolved before the log arrived').to.equal(false);
      gate.open();
      expect([(await changed)?.revision, await removed]).to.deep.equal([4, undefined]);
      expect(b.cacher.state.revision).to.equal(5);
    });
  });
}

function afterRange(backend: Backend, work: () => Promise<unknown>): Backend {
  return around(backend, {
    range: async (resource, range) => {
      const found = await backend.range(resource, range);
      await work();
      return found;
    },
  });
}
