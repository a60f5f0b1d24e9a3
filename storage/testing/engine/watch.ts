import { expect } from 'chai';
import { expectCode } from '../backend/fixture.js';
import type { Current } from './fixture.js';
import { create, FOLDERS, increment, key, NOTES, put, putAll, remove } from './resources.js';
import { watch } from './watch-steps.js';
import { byLabel, plain, replayed, type Seen, Watching } from './watching.js';

export function watchSuite(current: Current): void {
  describe('watch', () => {
    // Promise: contract 10
    it('delivers every change after any revision to many watchers, without gaps, under load', async () => {
      const server = await current().start();
      const watchings: Watching[] = [];
      const writers = Array.from({ length: 8 }, async (_, w) => {
        for (let i = 0; i < 40; i++) {
          await server.engine.transact(increment(i % 3 === 0 ? NOTES : FOLDERS, `f${(w * i) % 11}`));
          if (i % 8 !== 0) continue;
          const after = Math.floor((server.cacher.state.revision * w) / 8);
          watchings.push(new Watching(server, { resource: FOLDERS, after }));
        }
      });
      const whole = new Watching(server, { resource: FOLDERS, after: 0 });
      const notes = new Watching(server, { resource: NOTES, after: 0 });
      await Promise.all(writers);
      const end = server.cacher.state.revision;
      const all = [...(await whole.until(end))];
      const both = [...all, ...(await notes.until(end))].map(({ revision }) => revision).sort((a, b) => a - b);
      expect(both).to.deep.equal(Array.from({ length: 320 }, (_, i) => i + 1));
      for (const watching of watchings) {
        const seen = await watching.until(end);
        const own = seen[0]?.revision ?? end + 1;
        expect(seen.map(plain)).to.deep.equal(all.filter(({ revision }) => revision >= own).map(plain));
        expectMarks(watching, all);
      }
      await Promise.all([whole, notes, ...watchings].map((watching) => watching.stop()));
    });

    it('starts right after the given revision', async () => {
      const server = await current().start();
      for (let i = 0; i < 6; i++) await server.engine.transact(increment(FOLDERS, 'n'));
      for (let after = 0; after <= 6; after++) {
        const watching = new Watching(server, { resource: FOLDERS, after });
        const seen = await watching.until(6);
        expect(seen.map(({ revision }) => revision)).to.deep.equal([1, 2, 3, 4, 5, 6].slice(after));
        await watching.stop();
      }
    });

    it('does not repeat changes up to its revision, even if the server is behind that revision', async () => {
      const server = await current().start();
      const watching = new Watching(server, { resource: FOLDERS, after: 3 });
      for (let i = 0; i < 5; i++) await server.engine.transact(increment(FOLDERS, 'n'));
      expect((await watching.until(5)).map(({ revision }) => revision)).to.deep.equal([4, 5]);
      await watching.stop();
    });

    it('delivers a change of selection as ADDED or DELETED, at the revision of the change', async () => {
      const server = await current().start();
      const { engine } = server;
      const watching = new Watching(server, { resource: FOLDERS, after: 0, selects: byLabel('team', 'a') });
      await engine.transact(put(FOLDERS, 'x', {}, { team: 'b' }));
      await engine.transact(put(FOLDERS, 'x', {}, { team: 'a' }));
      await engine.transact(put(FOLDERS, 'x', { n: 1 }, { team: 'a' }));
      await engine.transact(put(FOLDERS, 'x', { n: 1 }, { team: 'b' }));
      await engine.transact(put(FOLDERS, 'x', { n: 2 }, { team: 'a' }));
      await engine.transact(remove(FOLDERS, 'x'));
      const seen = await watching.until(6);
      expect(seen.map(plain)).to.deep.equal(['2 ADDED x', '3 MODIFIED x', '4 DELETED x', '5 ADDED x', '6 DELETED x']);
      expect(seen.map(({ resourceVersion }) => resourceVersion)).to.deep.equal(['2', '3', '4', '5', '6']);
      const last = JSON.parse(seen[2]!.frame.toString()) as { object: { metadata: unknown; spec: unknown } };
      expect(last.object, 'the last state that was selected').to.deep.include({ spec: { n: 1 } });
      expect(last.object.metadata).to.have.deep.property('labels', { team: 'a' });
      await watching.stop();
    });

    it('delivers to a watch of one object, or of a namespace, exactly what a watch of everything delivers of it', async () => {
      const server = await current().start({ ringLimits: { events: 2000, bytes: 1 << 24 } });
      const { cacher, engine } = server;
      const { signal } = new AbortController();
      const at = { resource: FOLDERS, after: 0, selects: () => true, signal };
      const whole = new Watching(server, at);
      const one = new Watching(server, { ...at, scope: { key: key(FOLDERS, 'a') } });
      const other = new Watching(server, { ...at, scope: { namespace: 'elsewhere' } });
      const slow = watch(cacher, { ...at, scope: { key: key(FOLDERS, 'a') } });
      const seen: number[] = [];
      const take = async (): Promise<number> => {
        const { deliveries, through = 0 } = (await slow.next()).value ?? { deliveries: [] };
        seen.push(...deliveries.map(({ event }) => event.revision));
        return through;
      };
      await take();
      // The slow watch gets more events than it may keep.
      for (let i = 0; i < 13; i++) {
        const writes = Array.from({ length: 100 }, () => engine.transact(increment(FOLDERS, 'a')));
        await Promise.all([...writes, engine.transact(increment(FOLDERS, 'b'))]);
      }
      const end = cacher.revision;
      while ((await take()) < end);
      const wanted = (await whole.until(end)).filter((event) => event.key === key(FOLDERS, 'a')).map(plain);
      expect(wanted).to.have.length(1300);
      expect((await one.until(end)).map(plain)).to.deep.equal(wanted);
      expect(seen).to.deep.equal(whole.seen.filter((event) => event.key === key(FOLDERS, 'a')).map((e) => e.revision));
      expect(other.seen).to.deep.equal([]);
      await slow.return();
      await Promise.all([whole, one, other].map((watching) => watching.stop()));
    });

    // Promise: contract 10
    it('encodes each frame once for all watchers, as one line', async () => {
      const server = await current().start();
      const watchings = [1, 2, 3].map(() => new Watching(server, { resource: FOLDERS, after: 0 }));
      await server.engine.transact(create(FOLDERS, 'a'));
      await server.engine.transact(increment(FOLDERS, 'a'));
      await server.engine.transact(remove(FOLDERS, 'a'));
      const [first, ...others] = await Promise.all(watchings.map((watching) => watching.until(3)));
      expect(first!.map(({ frame }) => frame.toString())).to.deep.equal([
        '{"type":"ADDED","object":{"kind":"Test","metadata":{"resourceVersion":"1","labels":{"id":"1"},"name":"a"},"spec":{}}}\n',
        '{"type":"MODIFIED","object":{"kind":"Test","metadata":{"resourceVersion":"2","name":"a"},"spec":{"n":1}}}\n',
        '{"type":"DELETED","object":{"kind":"Test","metadata":{"resourceVersion":"3","name":"a"},"spec":{"n":1}}}\n',
      ]);
      for (const other of others) {
        for (const [i, { frame }] of other.entries()) expect(frame).to.equal(first![i]!.frame);
      }
      await Promise.all(watchings.map((watching) => watching.stop()));
    });

    it('reads from the log what has left the ring, also while others write', async () => {
      const server = await current().start({ ringLimits: { events: 10, bytes: 1 << 20 } });
      const { cacher, engine } = server;
      const { signal } = new AbortController();
      await engine.transact(increment(FOLDERS, 'n'));
      const slow = watch(cacher, { resource: FOLDERS, after: 0, selects: () => true, signal });
      expect((await slow.next()).value).to.have.property('through', 1);
      for (let i = 0; i < 40; i++) await engine.transact(increment(i % 4 === 0 ? NOTES : FOLDERS, 'n'));
      const whole = new Watching(server, { resource: FOLDERS, after: 0 });
      const late = new Watching(server, { resource: FOLDERS, after: 7 });
      for (let i = 0; i < 40; i++) await engine.transact(increment(FOLDERS, 'n'));
      const all = await whole.until(81);
      expect(all).to.have.length(71);
      expect((await late.until(81)).map(plain)).to.deep.equal(all.filter(({ revision }) => revision > 7).map(plain));
      const seen: number[] = [];
      for await (const { deliveries, through } of slow) {
        seen.push(...deliveries.map(({ event }) => event.revision));
        if (through === 81) break;
      }
      expect(seen).to.deep.equal(all.map(({ revision }) => revision).slice(1));
      await Promise.all([whole.stop(), late.stop()]);
    });

    // Promise: contract 4.10
    it('ends a watcher with compacted if neither the ring nor the log has what follows', async () => {
      const server = await current().start({ ringLimits: { events: 10, bytes: 1 << 20 } });
      const { cacher, engine, backend } = server;
      const { signal } = new AbortController();
      await engine.transact(increment(FOLDERS, 'n'));
      const slow = watch(cacher, { resource: FOLDERS, after: 0, selects: () => true, signal });
      expect((await slow.next()).value).to.have.property('through', 1);
      for (let i = 0; i < 11; i++) await engine.transact(increment(FOLDERS, 'n'));
      await backend.compact(2);
      await expectCode(slow.next(), 'compacted');
      const late = new Watching(server, { resource: FOLDERS, after: 1 });
      await expectCode(late.ended(), 'compacted');
      const possible = new Watching(server, { resource: FOLDERS, after: 2 });
      expect(await possible.until(12)).to.have.length(10);
      await possible.stop();
    });

    it('limits the bytes of the ring', async () => {
      const server = await current().start({ ringLimits: { events: 1000, bytes: 10_000 } });
      for (let i = 0; i < 20; i++) await server.engine.transact(put(FOLDERS, 'a', { n: i, text: 'x'.repeat(1000) }));
      const { floor } = server.cacher.ring(FOLDERS);
      expect(floor).to.be.within(15, 18);
      const watching = new Watching(server, { resource: FOLDERS, after: floor });
      expect(await watching.until(20)).to.have.length(20 - floor);
      await watching.stop();
    });

    it('resumes after a restart at the position of the watcher', async () => {
      const first = await current().start();
      for (let i = 0; i < 10; i++) await first.engine.transact(increment(FOLDERS, `f${i % 3}`));
      await first.engine.transact(remove(FOLDERS, 'f1'));
      const before = new Watching(first, { resource: FOLDERS, after: 4 });
      const expected = (await before.until(11)).map(({ frame }) => frame.toString());
      await before.stop();
      const again = await current().restart();
      const after = new Watching(again, { resource: FOLDERS, after: 4 });
      expect((await after.until(11)).map(({ frame }) => frame.toString())).to.deep.equal(expected);
      await after.stop();
    });

    it('updates a list to the exact state', async () => {
      const server = await current().start();
      const { engine, cacher } = server;
      const texts = (): ReadonlyMap<string, string> =>
        new Map(
          [...cacher.state.resource(FOLDERS).entries(FOLDERS, '~')].map((e) => [
            e.key,
            Buffer.from(e.value).toString(),
          ]),
        );
      const works = (round: number): Promise<unknown> =>
        Promise.all(
          Array.from({ length: 30 }, (_, i) =>
            engine.transact(i % 5 === 4 ? remove(FOLDERS, `f${i - 1}`) : put(FOLDERS, `f${i}`, { n: round })),
          ),
        );
      await works(1);
      const list = texts();
      const { revision } = cacher.state;
      const watching = new Watching(server, { resource: FOLDERS, after: revision });
      await works(2);
      await works(3);
      expect(sorted(replayed(list, await watching.until(cacher.state.revision)))).to.deep.equal(sorted(texts()));
      await watching.stop();
    });

    // Promise: contract 4.7
    it('delivers all changes of a commit before it reports `through`', async () => {
      const server = await current().start();
      const watching = new Watching(server, { resource: FOLDERS, after: 0 });
      const writes = Array.from({ length: 700 }, (_, i) => ({ at: key(FOLDERS, `f${i}`), spec: {} }));
      await server.engine.transact(putAll(writes));
      const all = await watching.until(700);
      expect(all).to.have.length(700);
      expectMarks(watching, all);
      expect(watching.marks.map(({ through }) => through).filter((through) => through !== 0)).to.include(700);
      expect(watching.marks.every(({ through }) => through === 0 || through === 700)).to.equal(true);
      await watching.stop();
    });

    it('ends when its signal aborts, and when the cache closes', async () => {
      const server = await current().start();
      const stopped = new Watching(server, { resource: FOLDERS, after: 0 });
      await stopped.until(0);
      await stopped.stop();
      const closed = new Watching(server, { resource: FOLDERS, after: 0 });
      await closed.until(0);
      await server.cacher.close();
      await closed.ended();
    });
  });
}

/** Checks that all events up to each mark had been delivered. */
function expectMarks(watching: Watching, all: readonly Seen[]): void {
  const first = watching.seen[0]?.revision ?? 0;
  for (const { through, seen } of watching.marks) {
    const due = all.filter(({ revision }) => revision >= first && revision <= through).length;
    expect(seen, `seen by the mark ${through}`).to.be.at.least(due);
  }
}

function sorted(objects: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
}
