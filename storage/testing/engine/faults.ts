import { expect } from 'chai';
import { encodeTuple } from '../../state/tuple.js';
import { expectCode } from '../backend/fixture.js';
import { type Fault, faulty, Gate, gated, narrow, shallow } from './around.js';
import { allTold, type Current, contents, expectConsistent, type Server, told } from './fixture.js';
import { create, FOLDERS, increment, key, NOTES, put, putAll, remove } from './resources.js';

/** Tests with a store that fails. Answers must be true, and the cache must agree with the log. */
export function faultSuite(current: Current): void {
  describe('faults', () => {
    const start = (faults: Fault[]): Promise<Server> => current().start({}, faulty(current().opened.backend, faults));

    it('answers unavailable if nothing was written, and continues when the store is back', async () => {
      const server = await start([{ code: 'unavailable' }]);
      expect(await told(server.engine.transact(create(FOLDERS, 'a')))).to.equal('unavailable');
      await expectConsistent(server);
      expect(await told(server.engine.transact(create(FOLDERS, 'a')))).to.deep.equal([1]);
    });

    it('gives no refusal that depends on a write that failed', async () => {
      for (const code of ['unavailable', 'unknown'] as const) {
        const server = await start([{ code }]);
        const outcomes = await allTold(['a', 'a', 'b'].map((name) => server.engine.transact(create(FOLDERS, name))));
        expect(outcomes).to.deep.equal([code, 'unavailable', code]);
      }
    });

    for (const written of [false, true]) {
      it(`never reports success for a write whose answer was lost (${written ? 'it happened' : 'it did not happen'})`, async () => {
        const server = await start([{ code: 'unknown', written }]);
        const outcomes = await allTold(['a', 'b'].map((name) => server.engine.transact(create(FOLDERS, name))));
        expect(outcomes).to.deep.equal(['unknown', 'unknown']);
        await expectConsistent(server);
        expect(contents(server.cacher.state.resource(FOLDERS), FOLDERS)).to.have.length(written ? 2 : 0);
        expect(await told(server.engine.transact(create(FOLDERS, 'a')))).to.deep.equal(written ? 'exists' : [1]);
        expect(await told(server.engine.transact(create(FOLDERS, 'c')))).to.deep.equal([written ? 3 : 2]);
      });
    }

    for (const written of [false, true]) {
      it(`counts an object once whose write was lost, and then repeated (${written ? 'it happened' : 'it did not happen'})`, async () => {
        const { engine, cacher } = await start([{ code: 'unknown', written }, { code: 'behind' }]);
        const works = ['a', 'b'].map((name) => put(NOTES, name, { parent: 'p' }));
        expect(await allTold(works.map((work) => engine.transact(work)))).to.deep.equal(['unknown', 'unknown']);
        await Promise.all(works.map((work) => engine.transact(work)));
        const tuple = encodeTuple(['p']);
        const counts = () => [...cacher.state.resource(NOTES).counts('parent', '')];
        expect(counts()).to.deep.equal([{ tuple, count: 2 }]);
        await engine.transact(remove(NOTES, 'a'));
        expect(counts()).to.deep.equal([{ tuple, count: 1 }]);
      });
    }

    it('catches up if the log has grown without it', async () => {
      const server = await start([{ code: 'behind' }, { code: 'behind' }]);
      expect(await told(server.engine.transact(create(FOLDERS, 'a')))).to.deep.equal([1]);
    });

    it('refuses only the object that cannot be stored', async () => {
      const { engine } = await current().start({}, narrow(current().opened.backend, 1000));
      const outcomes = await allTold([
        engine.transact(put(FOLDERS, 'a', { n: 1 })),
        engine.transact(put(FOLDERS, 'large', { text: 'x'.repeat(2000) })),
        engine.transact(create(FOLDERS, 'a')),
        engine.transact(put(NOTES, 'b', { n: 1 })),
      ]);
      expect(outcomes).to.deep.equal([[1], 'rejected', 'exists', [2]]);
    });

    it('refuses only those of many writes of one object that cannot be stored', async () => {
      const { engine } = await current().start({}, narrow(current().opened.backend, 1000));
      const works = [1, 2, 3].map((n) => put(FOLDERS, 'a', { n }));
      const large = put(FOLDERS, 'a', { text: 'x'.repeat(2000) });
      const outcomes = await allTold(
        [...works, large, put(FOLDERS, 'a', { n: 4 })].map((work) => engine.transact(work)),
      );
      expect(outcomes).to.deep.equal([[1], [2], [3], 'rejected', [4]]);
    });

    it('refuses only the transaction that is too large', async () => {
      const { engine } = await current().start({}, shallow(current().opened.backend, 2));
      const works = [
        put(FOLDERS, 'a', { n: 1 }),
        putAll(['x', 'y', 'z'].map((name) => ({ at: key(FOLDERS, name), spec: { n: 0 } }))),
        put(FOLDERS, 'b', { n: 2 }),
      ];
      const outcomes = await allTold(works.map((work) => engine.transact(work)));
      expect(outcomes).to.deep.equal([[1], 'too-large', [2]]);
    });

    it('closes while a write runs that then fails', async () => {
      const gate = new Gate();
      const arrived: number[] = [];
      const backend = gated(faulty(current().opened.backend, [{ code: 'unavailable' }]), gate, arrived);
      const { engine } = await current().start({}, backend);
      gate.shut();
      const works = [create(FOLDERS, 'a')].map((work) => engine.transact(work));
      while (arrived.length === 0) await new Promise(setImmediate);
      works.push(engine.transact(create(FOLDERS, 'b')));
      const closing = engine.close();
      gate.open();
      expect(await allTold(works)).to.deep.equal(['unavailable', [1]]);
      await closing;
    });

    it('answers everything with closed if the store is closed first', async () => {
      const { engine, backend, cacher } = await current().start();
      await engine.transact(increment(FOLDERS, 'a'));
      await backend.close();
      await Promise.all([
        expectCode(engine.transact(increment(FOLDERS, 'a')), 'closed'),
        expectCode(engine.transact(remove(FOLDERS, 'b')), 'closed'),
      ]);
      expect(cacher.state.resource(FOLDERS).get(key(FOLDERS, 'a'))?.revision).to.equal(1);
      await cacher.close();
    });
  });
}
