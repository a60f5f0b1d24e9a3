import { expect } from 'chai';
import { type Key, keyOf } from '../key.js';
import { Definitions } from '../state/definitions.js';
import { State } from '../state/state.js';
import { ColdEntry } from '../testing/cold-entry.js';
import { Evaluation } from './batch.js';
import { type EvaluatedTransaction, evaluateAll, type QueuedTransaction } from './evaluate.js';
import { type Transaction, type TransactionState, TransactionSteps } from './transaction.js';

const THINGS = 'things.x';
const DEFINITIONS = new Definitions([
  { resource: THINGS, extract: () => ({ labels: undefined, fields: undefined }), rows: () => [] },
]);
const at = (name: string): Key => keyOf(THINGS, 'here', name);
const thing = (text = '') => ({ metadata: { name: 'x' }, text });
const read = (state: TransactionState, name: string): string =>
  Buffer.from(state.resource(THINGS).get(at(name))?.value ?? '').toString();

/** Never in the page cache, as if the memory did not suffice. */
class LostEntry extends ColdEntry {
  override async load(): Promise<void> {}
}

/** A batch on a state with objects that only the disk has. */
function batch(entries: readonly ColdEntry[] = []) {
  const loads: string[] = [];
  const draft = new State(8).draft();
  const cold = ['a', 'b', 'c'].map((name) => new ColdEntry(at(name), loads));
  for (const entry of [...cold, ...entries]) draft.put(THINGS, entry);
  const evaluation = new Evaluation(draft.finish(8, new Map()).draft(), DEFINITIONS);
  const evaluate = async (...runs: readonly Transaction['run'][]) => {
    const queued = runs.map((run) => ({
      transaction: { run },
      queuedAt: 0,
      signal: undefined,
      rounds: 0,
      resolve: () => undefined,
      reject: () => undefined,
    }));
    const all: EvaluatedTransaction[] = [];
    for (let left: readonly QueuedTransaction[] = queued; left.length > 0; ) {
      const { evaluated, cold } = await evaluateAll(evaluation, left);
      all.push(...evaluated);
      left = cold.map((one) => Object.assign(one.queued, { rounds: one.queued.rounds + 1 }));
      await Promise.all(cold.map(({ read }) => read.load()));
    }
    return queued.map((one) => all.find(({ queued }) => queued === one));
  };
  return { loads, evaluation, evaluate };
}

describe('a transaction that reads what only the disk has', () => {
  it('begins again when that is loaded, and does not wait where it reads', async () => {
    const { loads, evaluate } = batch();
    const seen: string[] = [];
    const [one] = await evaluate((state) => {
      seen.push('begins');
      const all = ['a', 'b'].map((name) => read(state, name));
      state.put(at('new'), thing());
      return all;
    });
    expect(one?.result).to.deep.equal(['{}', '{}']);
    expect(one?.applied.map(({ key }) => key)).to.deep.equal([at('new')]);
    expect(loads).to.deep.equal([at('a'), at('b')]);
    expect(seen).to.have.lengthOf(3);
  });

  it('comes after the others of its batch, and all of them are loaded together', async () => {
    const { loads, evaluation, evaluate } = batch();
    const writing = (name: string, before?: string) => (state: TransactionState) => {
      if (before !== undefined) read(state, before);
      return state.put(at(name), thing()).revision;
    };
    const all = await evaluate(writing('first', 'a'), writing('second'), writing('third', 'b'));
    expect(all.map((one) => one?.result)).to.deep.equal([10, 9, 11]);
    expect(loads).to.deep.equal([at('a'), at('b')]);
    expect(evaluation.applied.map(({ key }) => key)).to.deep.equal([at('second'), at('first'), at('third')]);
  });

  it('begins again also in a later step, and if it took the refusal for something else', async () => {
    const { loads, evaluate } = batch();
    const caught = (state: TransactionState, name: string) => {
      try {
        return read(state, name);
      } catch {
        return 'there is no such thing';
      }
    };
    const [steps, refusing, writing] = await evaluate(
      (state) =>
        new TransactionSteps(
          (function* () {
            yield;
            return read(state, 'a');
          })(),
        ),
      (state) => caught(state, 'b'),
      (state) => {
        const text = caught(state, 'c');
        state.put(at('new'), thing(text));
        return text;
      },
    );
    expect([steps, refusing, writing].map((one) => one?.result)).to.deep.equal(['{}', '{}', '{}']);
    expect(loads).to.have.members([at('a'), at('b'), at('c')]);
  });

  it('reads on after its first write, so that much work is not done again', async () => {
    const { loads, evaluate } = batch();
    let runs = 0;
    const [one] = await evaluate((state) => {
      runs++;
      state.put(at('new'), thing());
      return read(state, 'a');
    });
    expect([one?.result, runs, loads]).to.deep.equal(['{}', 1, []]);
  });

  it('reads on if the memory does not keep what was loaded', async () => {
    const { evaluate } = batch([new LostEntry(at('lost'), [])]);
    const [one] = await evaluate((state) => read(state, 'lost'));
    expect(one).to.include({ result: '{}' }).and.not.have.property('error');
  });
});
