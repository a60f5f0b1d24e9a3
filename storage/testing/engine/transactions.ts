import { expect } from 'chai';
import type { TransactionState } from '../../engine/transaction.js';
import { encodeTuple } from '../../state/tuple.js';
import { allTold, type Current, expectTree, told } from './fixture.js';
import {
  create,
  DASHBOARDS,
  FOLDERS,
  increment,
  key,
  move,
  NOTES,
  objectAt,
  objectOf,
  put,
  Refused,
  remove,
  removeTree,
} from './resources.js';

const CLIENTS = 64;

export function transactionSuite(current: Current): void {
  describe('transactions', () => {
    for (const resource of [FOLDERS, NOTES]) {
      it(`loses no update if ${CLIENTS} clients write one object (${resource})`, async () => {
        const { engine, backend } = await current().start();
        const client = async (): Promise<void> => {
          for (let i = 0; i < 4; i++) await engine.transact(increment(resource, 'counter'));
        };
        await Promise.all(Array.from({ length: CLIENTS }, client));
        const stored = await backend.get([key(resource, 'counter')]);
        const value = stored.get(key(resource, 'counter'))?.value ?? new Uint8Array();
        expect(JSON.parse(Buffer.from(value).toString()).spec.n).to.equal(CLIENTS * 4);
      });
    }

    it('lets one of many creations of a name succeed, and one of many uses of a unique title', async () => {
      const { engine } = await current().start();
      const names = await allTold(Array.from({ length: CLIENTS }, () => engine.transact(create(FOLDERS, 'one'))));
      expect(names.filter((outcome) => outcome === 'exists')).to.have.length(CLIENTS - 1);
      const titles = await allTold(
        Array.from({ length: CLIENTS }, (_, i) => engine.transact(create(DASHBOARDS, `d${i}`, { title: 'One' }))),
      );
      expect(titles.filter((outcome) => outcome === 'taken')).to.have.length(CLIENTS - 1);
    });

    it('refuses only a transaction that throws, and keeps nothing of it, not even its ids', async () => {
      const { engine, cacher } = await current().start();
      const failing = {
        run: (view: TransactionState) => {
          view.nextId(FOLDERS);
          throw new Refused('on purpose');
        },
      };
      const works = [create(FOLDERS, 'a'), failing, create(FOLDERS, 'b'), failing, create(FOLDERS, 'c')];
      const outcomes = await allTold(works.map((work) => engine.transact(work)));
      expect(outcomes).to.deep.equal([[1], 'on purpose', [2], 'on purpose', [3]]);
      const ids = [...cacher.state.resource(FOLDERS).entries(FOLDERS, '~')].map((entry) => entry.attributes.labels);
      expect(ids).to.deep.equal([{ id: '1' }, { id: '2' }, { id: '3' }]);
    });

    it('keeps nothing of a transaction that fails after its first writes', async () => {
      const { engine, cacher } = await current().start();
      const broken = {
        run: (state: TransactionState) => {
          state.put(key(FOLDERS, 'half'), objectAt(key(FOLDERS, 'half'), {}));
          state.put(key(NOTES, 'n'), { kind: 'Test', metadata: { name: 'n' } });
        },
      };
      const [failed, created] = await Promise.allSettled([
        engine.transact(broken),
        engine.transact(create(FOLDERS, 'whole')),
      ]);
      expect(failed.status).to.equal('rejected');
      expect(created.status).to.equal('fulfilled');
      expect(cacher.state.resource(FOLDERS).get(key(FOLDERS, 'half'))).to.equal(undefined);
      expect(cacher.state.revision).to.equal(1);
    });

    it('refuses one of two moves that together form a cycle', async () => {
      const { engine } = await current().start();
      await allTold(['a', 'b'].map((name) => engine.transact(create(FOLDERS, name))));
      const outcomes = await allTold([engine.transact(move('a', 'b')), engine.transact(move('b', 'a'))]);
      expect(outcomes).to.deep.equal([[3], 'cycle']);
    });

    it('never leaves an orphan, whether a child or the deletion of its parent comes first', async () => {
      const { engine, cacher } = await current().start();
      for (let i = 0; i < 20; i++) {
        await engine.transact(create(FOLDERS, `p${i}`));
        const child = (): ReturnType<typeof told> =>
          told(engine.transact(create(DASHBOARDS, `c${i}`, { parent: `p${i}` })));
        const parent = (): ReturnType<typeof told> => told(engine.transact(remove(FOLDERS, `p${i}`)));
        const outcomes = await Promise.all(i % 2 === 0 ? [child(), parent()] : [parent(), child()]);
        expect(outcomes[1]).to.equal(i % 2 === 0 ? 'not empty' : 'no parent');
        expectTree(cacher);
      }
    });

    it('deletes a tree with concurrent creations in it, or refuses those that come too late', async () => {
      const { engine, cacher } = await current().start();
      await engine.transact(create(FOLDERS, 'root'));
      const works = Array.from({ length: 30 }, (_, i) =>
        i === 15 ? removeTree('root') : create(i % 2 === 0 ? FOLDERS : DASHBOARDS, `x${i}`, { parent: 'root' }),
      );
      const outcomes = await allTold(works.map((work) => engine.transact(work)));
      expect(outcomes[15]).to.have.length(16);
      expect(outcomes.slice(16).every((outcome) => outcome === 'no parent')).to.equal(true);
      expect(cacher.state.resource(FOLDERS).size + cacher.state.resource(DASHBOARDS).size).to.equal(0);
    });

    it('chains two writes of one key in one transaction', async () => {
      const { engine, cacher } = await current().start();
      const at = key(FOLDERS, 'twice');
      const { applied } = await engine.transact({
        run: (state) => {
          for (const n of [1, 2]) state.put(at, objectAt(at, { n }));
        },
      });
      expect(applied.map(({ previous }) => previous?.revision)).to.deep.equal([undefined, 1]);
      expect(cacher.past.at(FOLDERS, 1).get(at)?.revision).to.equal(1);
      expect(cacher.past.at(FOLDERS, 0).get(at)).to.equal(undefined);
    });

    it('shows a transaction its own writes, in every look-up, and takes them back if it throws or is a dry run', async () => {
      const { engine, cacher } = await current().start();
      await engine.transact(create(FOLDERS, 'old', { title: 'Old' }));
      const titled = (state: TransactionState, title: string): readonly string[] =>
        [...state.resource(FOLDERS).range('title', encodeTuple([title]))].map((entry) => entry.key);
      const work = (isDryRun: boolean, end: () => void) => ({
        isDryRun,
        run: (state: TransactionState) => {
          state.put(key(FOLDERS, 'new'), objectAt(key(FOLDERS, 'new'), { title: 'New' }));
          state.delete(key(FOLDERS, 'old'));
          end();
          return [titled(state, 'New'), titled(state, 'Old'), state.resource(FOLDERS).count('default'), state.revision];
        },
      });
      const refuse = (): never => {
        throw new Refused('on purpose');
      };
      const [dry, refused, after] = await Promise.allSettled([
        engine.transact(work(true, () => undefined)),
        engine.transact(work(false, refuse)),
        engine.transact({ run: (state) => [titled(state, 'New'), titled(state, 'Old'), state.revision] }),
      ]);
      const seen = [[key(FOLDERS, 'new')], [], 1, 3];
      expect(dry).to.deep.equal({ status: 'fulfilled', value: { revision: 1, applied: [], result: seen } });
      expect(refused.status).to.equal('rejected');
      expect(after)
        .to.have.nested.property('value.result')
        .that.deep.equals([[], [key(FOLDERS, 'old')], 1]);
      const { result } = await engine.transact(work(false, () => undefined));
      expect(result).to.deep.equal(seen);
      expect(cacher.state.resource(FOLDERS).get(key(FOLDERS, 'old'))).to.equal(undefined);
    });

    it('creates objects under new keys', async () => {
      const { engine, backend, cacher } = await current().start();
      await engine.transact(put(NOTES, 'known', {}));
      const at = key(NOTES, 'new');
      const creating = (end: () => void) => ({
        run: (state: TransactionState) => {
          state.create(at, objectAt(at, { n: 1 }));
          state.create(key(FOLDERS, 'f'), objectAt(key(FOLDERS, 'f'), {}));
          end();
          return state.resource(NOTES).get(at)?.revision;
        },
      });
      const refuse = (): never => {
        throw new Refused('on purpose');
      };
      const [refused, created] = await Promise.allSettled([
        engine.transact(creating(refuse)),
        engine.transact(creating(() => undefined)),
      ]);
      expect(refused.status).to.equal('rejected');
      expect(created).to.have.nested.property('value.result', 2);
      expect((await backend.get([at])).get(at)?.revision).to.equal(2);
      expect(cacher.ring(NOTES).at(cacher.ring(NOTES).end - 1)).to.include({ key: at, previous: undefined });
    });

    it('refuses to create what it knows to exist', async () => {
      const { engine, cacher } = await current().start();
      await engine.transact(put(NOTES, 'a', {}));
      await engine.transact(put(FOLDERS, 'a', {}));
      for (const resource of [NOTES, FOLDERS]) {
        const at = key(resource, 'a');
        const again = engine.transact({ run: (state) => state.create(at, objectAt(at, {})) });
        const failure = await again.catch((error: unknown) => error);
        expect(failure).to.be.an('error').with.property('message').that.includes('which exists');
      }
      expect(cacher.state.revision).to.equal(2);
    });

    it('returns the previous entries with an outcome', async () => {
      const { engine } = await current().start();
      await engine.transact(put(FOLDERS, 'a', { n: 1 }));
      const { applied } = await engine.transact(put(FOLDERS, 'a', { n: 2 }));
      expect(
        applied.map(({ previous, entry }) => [previous, entry].map((one) => one && objectOf(one).spec.n)),
      ).to.deep.equal([[1, 2]]);
    });
  });
}
