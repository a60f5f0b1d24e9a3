import { expect } from 'chai';
import { type Transaction, TransactionSteps } from '../../engine/transaction.js';
import type { Current } from './fixture.js';
import { create, FOLDERS, key, objectAt, Refused } from './resources.js';

/** Creates folders in steps, each of which takes about a millisecond. `before` is called before each step. */
function inSteps(names: readonly string[], before: (name: string) => void = () => undefined): Transaction {
  return {
    run: (state) =>
      new TransactionSteps(
        (function* () {
          for (const name of names) {
            before(name);
            const until = performance.now() + 1;
            while (performance.now() < until);
            const at = key(FOLDERS, name);
            state.put(at, objectAt(at, {}));
            yield;
          }
          return state.written().length;
        })(),
      ),
  };
}

const NAMES = Array.from({ length: 10 }, (_, i) => `step-${i}`);

export function stepSuite(current: Current): void {
  describe('transactions in steps', () => {
    it('commit all steps at once, lets the event loop turn, and nobody write in between', async () => {
      const { engine } = await current().start();
      let turns = 0;
      const ticking = setInterval(() => turns++, 0);
      const outcomes = [engine.transact(inSteps(NAMES)), engine.transact(create(FOLDERS, 'other'))];
      const [steps, other] = await Promise.all(outcomes);
      clearInterval(ticking);
      expect(turns).to.be.greaterThan(1);
      expect(steps?.result).to.equal(NAMES.length);
      const revisions = steps?.applied.map(({ revision }) => revision) ?? [];
      expect(revisions).to.deep.equal(NAMES.map((_, i) => (revisions[0] ?? 0) + i));
      expect(other?.applied).to.have.length(1);
    });

    it('write nothing if a step throws, or if nobody waits any more', async () => {
      const { engine, cacher } = await current().start();
      const refusing = inSteps(NAMES, (name) => {
        if (name === 'step-5') throw new Refused('no');
      });
      const failed = await engine.transact(refusing).catch((error: unknown) => error);
      expect(failed).to.be.instanceOf(Refused);
      const controller = new AbortController();
      const leaving = inSteps(NAMES, (name) => {
        if (name === 'step-5') controller.abort(new Refused('gone'));
      });
      const left = await engine.transact(leaving, controller.signal).catch((error: unknown) => error);
      expect(left).to.be.instanceOf(Refused);
      expect(cacher.state.resource(FOLDERS).size).to.equal(0);
    });

    it('take back a dry run, and not the writes before it and after it in the same batch', async () => {
      const { engine, cacher } = await current().start();
      const outcomes = await Promise.all([
        engine.transact({ ...inSteps(['first']), isDryRun: true }),
        engine.transact(create(FOLDERS, 'before')),
        engine.transact({ ...inSteps(NAMES), isDryRun: true }),
        engine.transact(create(FOLDERS, 'after')),
      ]);
      expect(outcomes.map(({ applied }) => applied.length)).to.deep.equal([0, 1, 0, 1]);
      const { state } = cacher;
      expect([...state.resource(FOLDERS).entries('', '\uffff')].map(({ key: at }) => at)).to.deep.equal([
        key(FOLDERS, 'after'),
        key(FOLDERS, 'before'),
      ]);
      expect(state.resource(FOLDERS).count('default')).to.equal(state.resource(FOLDERS).size);
    });
  });
}
