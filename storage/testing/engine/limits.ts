import { expect } from 'chai';
import { expectCode } from '../backend/fixture.js';
import { Gate, gated } from './around.js';
import { allTold, type Current, told } from './fixture.js';
import { create, FOLDERS, increment, key, NOTES, objectOf, put, putAll, removeTree } from './resources.js';
import { Watching } from './watching.js';

const KIB = 1024;

export function limitSuite(current: Current): void {
  describe('limits', () => {
    // Promise: contract 10
    it('commits waiting transactions in one batch of at most 1000', async () => {
      const gate = new Gate();
      const arrived: number[] = [];
      const { engine } = await current().start({}, gated(current().opened.backend, gate, arrived));
      gate.shut();
      const first = engine.transact(increment(FOLDERS, 'first'));
      while (arrived.length === 0) await new Promise(setImmediate);
      const rest = Array.from({ length: 2500 }, (_, i) => engine.transact(increment(FOLDERS, `f${i % 700}`)));
      gate.open();
      await Promise.all([first, ...rest]);
      expect(arrived).to.deep.equal([1, 1000, 1000, 500]);
    });

    it('shows a write in no state and no watch before it is durable', async () => {
      const gate = new Gate();
      const arrived: number[] = [];
      const server = await current().start({}, gated(current().opened.backend, gate, arrived));
      const { cacher, engine } = server;
      const watching = new Watching(server, { resource: FOLDERS, after: 0 });
      gate.shut();
      const written = engine.transact(increment(FOLDERS, 'a'));
      while (arrived.length === 0) await new Promise(setImmediate);
      for (let i = 0; i < 10; i++) await new Promise(setImmediate);
      const seen = [cacher.revision, cacher.resource(FOLDERS).size, cacher.ring(FOLDERS).end, watching.seen.length];
      gate.open();
      await written;
      expect(seen).to.deep.equal([0, 0, 0, 0]);
      expect(await watching.until(1)).to.have.length(1);
      await watching.stop();
    });

    it('commits writes of just answered writers together with waiting ones', async () => {
      const gate = new Gate();
      const arrived: number[] = [];
      const { engine } = await current().start({}, gated(current().opened.backend, gate, arrived));
      const twice = async (name: string): Promise<void> => {
        for (let i = 0; i < 2; i++) await engine.transact(increment(FOLDERS, name));
      };
      gate.shut();
      const first = Array.from({ length: 8 }, (_, i) => twice(`a${i}`));
      while (arrived.length === 0) await new Promise(setImmediate);
      const second = Array.from({ length: 5 }, (_, i) => engine.transact(increment(FOLDERS, `b${i}`)));
      gate.open();
      await Promise.all([...first, ...second]);
      expect(arrived).to.deep.equal([8, 13]);
    });

    it('ends a batch at 4 MiB', async () => {
      const arrived: number[] = [];
      const { engine } = await current().start({}, gated(current().opened.backend, new Gate(), arrived));
      const large = 'x'.repeat(512 * KIB);
      const works = Array.from({ length: 20 }, (_, i) => engine.transact(put(FOLDERS, `f${i}`, { text: large })));
      await Promise.all(works);
      expect(arrived).to.deep.equal([8, 8, 4]);
    });

    it('commits a transaction that is larger than a batch as one commit', async () => {
      const { engine, backend, cacher } = await current().start();
      const writes = Array.from({ length: 1500 }, (_, i) => ({
        at: key(FOLDERS, `f${i}`),
        spec: { parent: i === 0 ? '' : 'f0', text: 'x'.repeat(4 * KIB) },
      }));
      await engine.transact(putAll(writes));
      const { applied } = await engine.transact(removeTree('f0'));
      expect(applied).to.have.length(1500);
      const ends: number[] = [];
      for await (const commit of backend.tail(0, new AbortController().signal)) {
        ends.push(commit.end);
        if (commit.end === 3000) break;
      }
      expect(ends).to.deep.equal([1500, 3000]);
      expect(cacher.state.resource(FOLDERS).size).to.equal(0);
    });

    it('refuses transactions while 10,000 wait, and commits all that it accepted', async () => {
      const gate = new Gate();
      const arrived: number[] = [];
      const { engine, cacher } = await current().start({}, gated(current().opened.backend, gate, arrived));
      gate.shut();
      const first = engine.transact(increment(FOLDERS, 'n'));
      while (arrived.length === 0) await new Promise(setImmediate);
      const taken = Array.from({ length: 10_000 }, () => engine.transact(increment(FOLDERS, 'n')));
      await expectCode(engine.transact(increment(FOLDERS, 'n')), 'overloaded');
      gate.open();
      await Promise.all([first, ...taken]);
      const entry = cacher.state.resource(FOLDERS).get(key(FOLDERS, 'n'));
      expect(entry && objectOf(entry).spec.n).to.equal(10_001);
    });

    it('refuses an aborted transaction without effect, and commits one that is aborted too late', async () => {
      const gate = new Gate();
      const arrived: number[] = [];
      const { engine, cacher } = await current().start({}, gated(current().opened.backend, gate, arrived));
      gate.shut();
      const [late, early] = [new AbortController(), new AbortController()];
      const underWay = engine.transact(create(FOLDERS, 'late'), late.signal);
      while (arrived.length === 0) await new Promise(setImmediate);
      const waiting = engine.transact(create(FOLDERS, 'early'), early.signal);
      const gone = new Error('the client went away');
      late.abort(gone);
      early.abort(gone);
      gate.open();
      expect(await told(underWay)).to.deep.equal([1]);
      expect(await waiting.catch((error: unknown) => error)).to.equal(gone);
      await engine.transact(create(FOLDERS, 'next'));
      const entries = [...cacher.state.resource(FOLDERS).entries(FOLDERS, '~')];
      expect(entries.map((entry) => [entry.key, entry.attributes.labels])).to.deep.equal([
        [key(FOLDERS, 'late'), { id: '1' }],
        [key(FOLDERS, 'next'), { id: '2' }],
      ]);
    });

    it('finishes accepted transactions when it closes, and refuses later ones', async () => {
      const { engine, cacher } = await current().start();
      const works = Array.from({ length: 100 }, (_, i) => engine.transact(create(NOTES, `n${i}`)));
      const closing = engine.close();
      await expectCode(engine.transact(create(FOLDERS, 'late')), 'closed');
      await closing;
      expect(await allTold(works)).to.deep.equal(Array.from({ length: 100 }, (_, i) => [i + 1]));
      expect(cacher.state.revision).to.equal(100);
      await engine.close();
    });

    it('rejects calls that wait for a revision, and ends watches, when the cache closes', async () => {
      const { cacher } = await current().start();
      const waiting = expectCode(cacher.reach(1), 'closed');
      await cacher.close();
      await waiting;
    });
  });
}
