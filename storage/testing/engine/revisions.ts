import { expect } from 'chai';
import { decodeObject } from '../../state/codec.js';
import { read, text } from '../backend/fixture.js';
import { allTold, type Current, type Server, told } from './fixture.js';
import { create, DASHBOARDS, FOLDERS, key, NOTES, objectOf, put, putAll, remove } from './resources.js';

export function revisionSuite(current: Current): void {
  describe('revisions and ids', () => {
    it('gives internal ids 1, 2, 3 … for each resource, without gaps from refused writes', async () => {
      const { engine, cacher } = await current().start();
      const works = ['a', 'a', 'b', 'b', 'c'].map((name) => create(FOLDERS, name));
      await allTold([...works, create(DASHBOARDS, 'a')].map((work) => engine.transact(work)));
      expect(idsOf(cacher, FOLDERS)).to.deep.equal({ a: '1', b: '2', c: '3' });
      expect(idsOf(cacher, DASHBOARDS)).to.deep.equal({ a: '1' });
    });

    it('never gives an internal id twice, even after deleting the highest or after a restart', async () => {
      const first = await current().start();
      for (const name of ['a', 'b']) await first.engine.transact(create(FOLDERS, name));
      await first.engine.transact(remove(FOLDERS, 'b'));
      await first.engine.transact(create(FOLDERS, 'c'));
      await first.engine.transact(remove(FOLDERS, 'c'));
      const again = await current().restart();
      await again.engine.transact(create(FOLDERS, 'd'));
      expect(idsOf(again.cacher, FOLDERS)).to.deep.equal({ a: '1', d: '4' });
    });

    it('writes nothing and uses no revision for a transaction without writes', async () => {
      const { engine, backend, cacher } = await current().start();
      await engine.transact(put(FOLDERS, 'a', { n: 1 }));
      const { state } = cacher;
      const outcome = await engine.transact(put(FOLDERS, 'a', { n: 1 }));
      expect(outcome).to.deep.equal({ revision: 1, applied: [], result: undefined });
      expect(await told(engine.transact(create(FOLDERS, 'a')))).to.equal('exists');
      expect(await backend.end()).to.equal(1);
      expect(cacher.state.revision).to.equal(state.revision);
    });

    it('uses no id for a transaction that took one and wrote nothing', async () => {
      const { engine, cacher } = await current().start();
      await engine.transact({
        run: (view) => {
          view.nextId(FOLDERS);
        },
      });
      await engine.transact(create(FOLDERS, 'a'));
      expect(idsOf(cacher, FOLDERS)).to.deep.equal({ a: '1' });
    });

    // Promise: contract 3.1
    it('gives each change the next revision, and writes it into the bytes', async () => {
      const { engine, backend, cacher } = await current().start();
      const writes = ['a', 'b', 'c'].map((name) => ({ at: key(FOLDERS, name), spec: { n: 1 } }));
      const outcomes = await allTold([
        engine.transact(putAll(writes)),
        engine.transact(put(NOTES, 'n', { text: '"metadata":{"resourceVersion":"9"' })),
        engine.transact(put(FOLDERS, 'b', { n: 2 })),
      ]);
      expect(outcomes).to.deep.equal([[1, 2, 3], [4], [5]]);
      for (const commit of await read(backend, 0, 5)) {
        for (const { revision, value } of commit.changes) {
          expect(decodeObject(value ?? new Uint8Array())).to.have.nested.property(
            'metadata.resourceVersion',
            `${revision}`,
          );
        }
      }
      expect(text(cacher.state.resource(FOLDERS).get(key(FOLDERS, 'b'))?.value ?? new Uint8Array())).to.equal(
        '{"kind":"Test","metadata":{"resourceVersion":"5","name":"b"},"spec":{"n":2}}',
      );
    });

    it('has the same state after a restart, whatever the last commits were', async () => {
      const { engine, cacher } = await current().start();
      for (let i = 0; i < 50; i++) await engine.transact(put(FOLDERS, `f${i % 7}`, { n: i }));
      await engine.transact(remove(FOLDERS, 'f3'));
      const again = await current().restart();
      expect(again.cacher.state.revision).to.equal(cacher.state.revision);
      expect(idsAndNumbers(again)).to.deep.equal(idsAndNumbers({ ...again, cacher }));
    });
  });
}

function idsOf({ state }: Server['cacher'], resource: string): Readonly<Record<string, string | undefined>> {
  const entries = [...state.resource(resource).entries(`${resource}/`, `${resource}0`)];
  return Object.fromEntries(entries.map((entry) => [objectOf(entry).metadata.name, entry.attributes.labels?.['id']]));
}

function idsAndNumbers({ cacher }: Server): unknown {
  return [...cacher.state.resource(FOLDERS).entries(FOLDERS, '~')].map((entry) => [entry.revision, objectOf(entry)]);
}
