import { expect } from 'chai';
import { Gate, lagging } from './around.js';
import { allTold, another, type Current, contents, expectTree, told } from './fixture.js';
import { create, DASHBOARDS, FOLDERS, increment, key, move, NOTES, objectOf, put, remove } from './resources.js';

/** Tests with two engines on one store, each with its own cache. */
export function serverSuite(current: Current): void {
  describe('several servers', () => {
    it('reads after `fresh` what another server has acknowledged', async function () {
      const b = await current().start({}, await another(this, current()));
      const a = await current().start();
      for (let i = 1; i <= 20; i++) {
        await a.engine.transact(put(FOLDERS, 'x', { n: i }));
        await b.cacher.fresh();
        const entry = b.cacher.state.resource(FOLDERS).get(key(FOLDERS, 'x'));
        expect(entry && objectOf(entry).spec.n).to.equal(i);
      }
    });

    it('loses no update and no id, and both caches become equal', async function () {
      const servers = [await current().start({}, await another(this, current())), await current().start()];
      const client = async (c: number): Promise<void> => {
        const { engine } = servers[c % 2]!;
        for (let i = 0; i < 3; i++) {
          await engine.transact(increment(FOLDERS, 'n'));
          await engine.transact(increment(NOTES, 'n'));
          await engine.transact(create(DASHBOARDS, `d${c}-${i}`));
        }
      };
      await Promise.all(Array.from({ length: 16 }, (_, c) => client(c)));
      const [a, b] = servers.map(({ cacher }) => cacher);
      await Promise.all([a!.fresh(), b!.fresh()]);
      for (const resource of [FOLDERS, DASHBOARDS]) {
        const [one, other] = [a!, b!].map(({ state }) => contents(state.resource(resource), resource));
        expect(one).to.deep.equal(other);
      }
      expect(a!.state.revision)
        .to.equal(b!.state.revision)
        .and.equal(16 * 3 * 3);
      const ids = [...a!.state.resource(DASHBOARDS).entries(DASHBOARDS, '~')].map((e) =>
        Number(e.attributes.labels?.['id']),
      );
      expect(ids.sort((x, y) => x - y)).to.deep.equal(Array.from({ length: 48 }, (_, i) => i + 1));
      const entry = a!.state.resource(FOLDERS).get(key(FOLDERS, 'n'));
      expect(entry && objectOf(entry).spec.n).to.equal(48);
      const note = (await servers[0]!.backend.get([key(NOTES, 'n')])).get(key(NOTES, 'n'));
      expect(JSON.parse(Buffer.from(note!.value).toString()).spec.n).to.equal(48);
    });

    it('lets one of two conflicting writes succeed: creations, moves that form a cycle, a child and the deletion of its parent', async function () {
      const b = await current().start({}, await another(this, current()));
      const a = await current().start();
      for (let i = 0; i < 8; i++) {
        const names = await allTold(
          [a, b].map(({ engine }) => engine.transact(create(FOLDERS, `f${i}`, { title: `t${i}` }))),
        );
        expect(names.filter((outcome) => outcome === 'exists')).to.have.length(1);
        await allTold(['x', 'y'].map((name) => a.engine.transact(create(FOLDERS, `${name}${i}`))));
        const moves = await allTold([
          a.engine.transact(move(`x${i}`, `y${i}`)),
          b.engine.transact(move(`y${i}`, `x${i}`)),
        ]);
        expect(moves.filter((outcome) => typeof outcome === 'string')).to.deep.equal(['cycle']);
        const child = await allTold([
          b.engine.transact(remove(FOLDERS, `f${i}`)),
          a.engine.transact(create(DASHBOARDS, `c${i}`, { parent: `f${i}` })),
        ]);
        expect(child.filter((outcome) => typeof outcome === 'string')).to.have.length(1);
        await Promise.all([a.cacher.fresh(), b.cacher.fresh()]);
        for (const { cacher } of [a, b]) expectTree(cacher);
      }
    });

    it('confirms a refusal and an unchanged write against the end of the log, however old its cache is', async function () {
      const gate = new Gate();
      const b = await current().start({}, lagging(await another(this, current()), gate));
      const a = await current().start();
      await a.engine.transact(create(FOLDERS, 'x'));
      await a.engine.transact(put(FOLDERS, 'y', { n: 1 }));
      await b.cacher.fresh();
      gate.shut();
      await a.engine.transact(remove(FOLDERS, 'x'));
      await a.engine.transact(put(FOLDERS, 'y', { n: 2 }));
      const works = allTold([b.engine.transact(create(FOLDERS, 'x')), b.engine.transact(put(FOLDERS, 'y', { n: 1 }))]);
      expect(b.cacher.state.revision, 'what b knows').to.equal(2);
      gate.open();
      expect(await works).to.deep.equal([[5], [6]]);
    });

    it('confirms a refusal even if nothing is written', async function () {
      const gate = new Gate();
      const b = await current().start({}, lagging(await another(this, current()), gate));
      const a = await current().start();
      gate.shut();
      await a.engine.transact(create(FOLDERS, 'x'));
      const work = told(b.engine.transact(remove(FOLDERS, 'x')));
      gate.open();
      expect(await work).to.deep.equal([2]);
    });

    it('loads again if a compaction overtakes it, and its revision only grows', async function () {
      const gate = new Gate();
      const b = await current().start({}, lagging(await another(this, current()), gate));
      const a = await current().start();
      gate.shut();
      for (let i = 0; i < 10; i++) await a.engine.transact(put(FOLDERS, `f${i}`, { n: i }));
      const seen: number[] = [];
      const stop = new AbortController();
      const observer = (async () => {
        while (b.cacher.state.revision < 10) {
          seen.push(b.cacher.state.revision);
          await b.cacher.changed.wait(stop.signal);
        }
      })();
      await a.backend.compact(10);
      gate.open();
      await b.cacher.fresh();
      await observer;
      expect(seen).to.deep.equal([...seen].sort((x, y) => x - y));
      expect(contents(b.cacher.state.resource(FOLDERS), FOLDERS)).to.deep.equal(
        contents(a.cacher.state.resource(FOLDERS), FOLDERS),
      );
    });
  });
}
