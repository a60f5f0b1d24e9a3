import { expect } from 'chai';
import { expectCode, text } from '../backend/fixture.js';
import { type Current, contents, type Held, type Server } from './fixture.js';
import { DASHBOARDS, FOLDERS, increment, key, put, putAll, remove } from './resources.js';
import { Watching } from './watching.js';

export function historySuite(current: Current): void {
  describe('history', () => {
    it('makes the state of any revision in the ring, also after a restart', async () => {
      const server = await current().start();
      const recorded = await record(server, 40);
      expectRecorded(server, recorded);
      const again = await current().restart();
      await again.cacher.past.recall(0);
      expectRecorded(again, recorded);
    });

    it('makes the state in the middle of a commit of several changes', async () => {
      const { engine, cacher } = await current().start();
      await engine.transact(putAll(['a', 'b', 'c'].map((name) => ({ at: key(FOLDERS, name), spec: {} }))));
      expect([0, 1, 2, 3].map((revision) => cacher.past.at(FOLDERS, revision).size)).to.deep.equal([0, 1, 2, 3]);
    });

    it('does not change the current state when it makes an earlier one', async () => {
      const { engine, cacher } = await current().start();
      for (let i = 0; i < 5; i++) await engine.transact(increment(FOLDERS, 'n'));
      const before = contents(cacher.state.resource(FOLDERS), FOLDERS);
      cacher.past.at(FOLDERS, 1);
      expect(contents(cacher.state.resource(FOLDERS), FOLDERS)).to.deep.equal(before);
    });

    it('refuses revisions that have left the ring or do not exist yet', async () => {
      const server = await current().start({ ringLimits: { events: 5, bytes: 1 << 20 } });
      const recorded = await record(server, 12);
      const { cacher } = server;
      const { floor } = cacher.ring(FOLDERS);
      await expectCode((async () => cacher.past.at(FOLDERS, floor - 1))(), 'compacted');
      await expectCode((async () => cacher.past.at(FOLDERS, cacher.state.revision + 1))(), 'future');
      expectRecorded(server, new Map([...recorded].filter(([revision]) => revision >= floor)));
    });

    it('reads a revision that does not fit in memory from the store and its log, also after a restart', async () => {
      const options = { ringLimits: { events: 5, bytes: 1 << 20 } };
      const server = await current().start(options);
      const recorded = await record(server, 40);
      await expectLogged(server, recorded);
      await expectLogged(await current().restart(options), recorded);
    });

    it('has the recent changes of other resources after a restart, if those of one have no room', async () => {
      const options = { ringLimits: { events: 5, bytes: 1 << 20 } };
      const { engine } = await current().start(options);
      await engine.transact(put(DASHBOARDS, 'a', { n: 1 }));
      for (let i = 0; i < 20; i++) await engine.transact(increment(FOLDERS, 'n'));
      await engine.transact(put(DASHBOARDS, 'a', { n: 2 }));
      const { cacher } = await current().restart(options);
      await cacher.past.recall(0);
      expect(cacher.past.at(DASHBOARDS, 0).size).to.equal(0);
      expect(cacher.past.at(DASHBOARDS, 1).get(key(DASHBOARDS, 'a'))?.revision).to.equal(1);
      await expectCode((async () => cacher.past.at(FOLDERS, 1))(), 'compacted');
    });

    it('finds a snapshot for five minutes after the ring has moved on', async () => {
      // Not 0, which means "no time" to lru-cache.
      let now = Date.UTC(2026, 0, 1);
      const server = await current().start({ ringLimits: { events: 5, bytes: 1 << 20 }, now: () => now });
      const { cacher, engine } = server;
      await engine.transact(put(FOLDERS, 'a', { n: 1 }));
      const kept = cacher.state;
      cacher.past.keep(FOLDERS, kept.revision, kept.resource(FOLDERS));
      const before = contents(kept.resource(FOLDERS), FOLDERS);
      for (let i = 0; i < 20; i++) await engine.transact(increment(FOLDERS, `f${i}`));
      expect(contents(cacher.past.at(FOLDERS, 1), FOLDERS)).to.deep.equal(before);
      now += 5 * 60 * 1000 + 1;
      await expectCode((async () => cacher.past.at(FOLDERS, 1))(), 'compacted');
    });

    it('returns the current state of a resource that has not changed since', async () => {
      const { engine, cacher } = await current().start();
      await engine.transact(put(DASHBOARDS, 'a', {}));
      for (let i = 0; i < 5; i++) await engine.transact(increment(FOLDERS, 'n'));
      expect(cacher.past.at(DASHBOARDS, 1)).to.equal(cacher.state.resource(DASHBOARDS));
      expect(cacher.past.at(DASHBOARDS, 3).version).to.equal(cacher.state.resource(DASHBOARDS).version);
    });

    it('makes a much earlier state once, and makes nearby states from it', async () => {
      const { engine, cacher } = await current().start();
      const writes = Array.from({ length: 1500 }, () => ({ at: key(FOLDERS, 'n'), spec: {} }));
      await engine.transact(putAll(writes));
      const made = cacher.past.at(FOLDERS, 300);
      expect(cacher.past.at(FOLDERS, 300)).to.equal(made);
      for (const revision of [299, 301, 300]) {
        expect(cacher.past.at(FOLDERS, revision).get(key(FOLDERS, 'n'))?.revision).to.equal(revision);
      }
      expect(cacher.recent.keptStates.of(FOLDERS).map((one) => one.revision)).to.deep.equal([300]);
    });

    it('keeps watchers and exact revisions of a running server correct during a compaction', async () => {
      const server = await current().start();
      const watching = new Watching(server, { resource: FOLDERS, after: 0 });
      const recorded = new Map<number, readonly Held[]>();
      for (let i = 0; i < 10; i++) {
        for (const [revision, held] of await record(server, 3)) recorded.set(revision, held);
        await server.backend.compact(server.cacher.state.revision - 1);
      }
      expectRecorded(server, recorded);
      const end = server.cacher.state.revision;
      const seen = await watching.until(end);
      expect(seen.map(({ revision }) => revision)).to.deep.equal(Array.from({ length: end }, (_, i) => i + 1));
      await watching.stop();
    });

    it('refuses a watch from a compacted revision after a restart', async () => {
      const first = await current().start();
      await record(first, 10);
      const end = first.cacher.state.revision;
      await first.backend.compact(end - 2);
      const again = await current().restart();
      await expectCode(new Watching(again, { resource: FOLDERS, after: end - 3 }).ended(), 'compacted');
      const watching = new Watching(again, { resource: FOLDERS, after: end - 2 });
      expect(await watching.until(end)).to.have.length(2);
      await watching.stop();
    });
  });
}

/** Writes `count` times: creates, changes and deletes in turn. Returns the content at each revision. */
async function record({ engine, cacher }: Server, count: number): Promise<Map<number, readonly Held[]>> {
  const recorded = new Map([[cacher.state.revision, contents(cacher.state.resource(FOLDERS), FOLDERS)]]);
  for (let i = 0; i < count; i++) {
    const name = `f${(i * 7) % 5}`;
    const there = cacher.state.resource(FOLDERS).get(key(FOLDERS, name)) !== undefined;
    const { revision } = await engine.transact(i % 3 === 2 && there ? remove(FOLDERS, name) : increment(FOLDERS, name));
    recorded.set(revision, contents(cacher.state.resource(FOLDERS), FOLDERS));
  }
  return recorded;
}

/** What is read from the log, as if nothing of it was in memory. */
async function expectLogged({ cacher }: Server, recorded: ReadonlyMap<number, readonly Held[]>): Promise<void> {
  const keys = { low: `${FOLDERS}/`, high: `${FOLDERS}0` };
  for (const [at, held] of recorded) {
    for (const limit of [2, 100]) {
      const entries = await cacher.past.page(FOLDERS, at, keys, limit);
      const found = entries.map(({ key, revision, value }) => ({ key, revision, value: text(value) }));
      expect(found, `at ${at}`).to.deep.equal(held.slice(0, limit));
    }
  }
}

function expectRecorded({ cacher }: Server, recorded: ReadonlyMap<number, readonly Held[]>): void {
  for (const [revision, held] of recorded) {
    expect(contents(cacher.past.at(FOLDERS, revision), FOLDERS), `at ${revision}`).to.deep.equal(held);
  }
}
