import { expect } from 'chai';
import { type Key, keyOf } from '../key.js';
import { Definitions } from '../state/definitions.js';
import type { Entry } from '../state/entry.js';
import type { ResourceDefinition } from '../state/resource.js';
import { State } from '../state/state.js';
import { encodeTuple } from '../state/tuple.js';
import { Evaluation } from './batch.js';
import { type Transaction, type TransactionState, TransactionSteps } from './transaction.js';

const [THINGS, OTHERS] = ['things.x', 'others.x'];
const definition = (resource: string): ResourceDefinition => ({
  resource,
  extract: () => ({ labels: undefined, fields: undefined }),
  rows: (object) => [{ index: 'byTitle', tuple: encodeTuple([(object as { title?: string }).title ?? '']) }],
});
const DEFINITIONS = new Definitions([THINGS, OTHERS].map(definition));
const at = (name: string, resource = THINGS): Key => keyOf(resource, 'here', name);
const thing = (title: string) => ({ metadata: { name: 'x' }, title });
const titleOf = (entry: Entry | undefined) =>
  entry && (JSON.parse(Buffer.from(entry.value).toString()) as { title: string }).title;

/** The state in which `a` and `b` exist, at revision 10. */
function base(): State {
  const draft = new State(8).draft();
  const first = new Evaluation(draft, DEFINITIONS);
  run(first, (state) => {
    state.put(at('a'), thing('A'));
    state.put(at('b'), thing('B'));
    state.nextId(THINGS);
  });
  return first.finish();
}

function evaluation(state = base()): Evaluation {
  return new Evaluation(state.draft(), DEFINITIONS);
}

function run<Result>(
  evaluation: Evaluation,
  work: Transaction<Result>['run'],
  more: Partial<Transaction<Result>> = {},
) {
  const steps = evaluation.evaluate({ ...more, run: work });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

const stepsOf = (...works: readonly (() => void)[]): TransactionSteps<string> =>
  new TransactionSteps(
    (function* () {
      for (const work of works) {
        work();
        yield;
      }
      return 'done';
    })(),
  );

describe('a batch', () => {
  it('gives each write the next revision, with what it replaces, and its size', () => {
    const batch = evaluation();
    expect([batch.baseRevision, batch.revision, batch.bytes]).to.deep.equal([10, 10, 0]);
    const { result, applied } = run(batch, (state) => {
      const { revision } = state.put(at('a'), thing('A2'));
      return [revision, state.put(at('c'), thing('C')).revision, state.delete(at('b'))];
    });
    expect([result, batch.revision, batch.baseRevision]).to.deep.equal([[11, 12, 13], 13, 10]);
    expect(applied.map(({ key, entry, previous }) => [key, titleOf(entry), titleOf(previous)])).to.deep.equal([
      [at('a'), 'A2', 'A'],
      [at('c'), 'C', undefined],
      [at('b'), undefined, 'B'],
    ]);
    expect(
      batch.changes.map(({ key, revision, value, previous }) => [
        key,
        revision,
        value === undefined,
        previous?.revision,
      ]),
    ).to.deep.equal([
      [at('a'), 11, false, 9],
      [at('c'), 12, false, undefined],
      [at('b'), 13, true, 10],
    ]);
    const sizes = applied.map(({ entry, previous }) => (entry?.size ?? 0) + (previous?.size ?? 0));
    expect(batch.bytes).to.equal(sizes.reduce((sum, size) => sum + size));
    expect(batch.changes[1]).to.not.have.any.keys('previous', 'rows');
    expect(batch.changes[0]?.previous?.value).to.deep.equal(applied[0]?.previous?.value);
  });

  it('shows each transaction the writes before it, and makes the next state', () => {
    const before = base();
    const batch = evaluation(before);
    run(batch, (state) => state.put(at('a'), thing('A2')));
    const seen = run(batch, (state) => {
      const own = state.written().length;
      state.delete(at('b'));
      return [own, titleOf(state.resource(THINGS).get(at('a'))), state.written().map(({ key }) => key)];
    });
    expect(seen.result).to.deep.equal([0, 'A2', [at('b')]]);
    const after = batch.finish();
    expect([after.revision, titleOf(after.resource(THINGS).get(at('a'))), after.resource(THINGS).size]).to.deep.equal([
      12,
      'A2',
      1,
    ]);
    expect([
      before.revision,
      titleOf(before.resource(THINGS).get(at('a'))),
      before.resource(THINGS).size,
    ]).to.deep.equal([10, 'A', 2]);
  });

  it('takes back all that a transaction wrote if it throws or is a dry run, and only that', () => {
    for (const isCached of [true, false]) {
      const [kept, gone] = isCached ? [at('a'), at('n')] : [at('s', OTHERS), at('n', OTHERS)];
      const batch = evaluation();
      run(batch, (state) => state.put(kept, thing('kept')));
      const { changes, bytes, revision } = {
        changes: [...batch.changes],
        bytes: batch.bytes,
        revision: batch.revision,
      };
      const work = (state: TransactionState) => {
        state.put(kept, thing('lost'));
        state.put(gone, thing('lost'));
        state.delete(kept);
        state.nextId(THINGS);
      };
      const dry = run(batch, work, { isDryRun: true });
      expect(dry.applied).to.deep.equal([]);
      expect(() =>
        run(batch, (state) => {
          work(state);
          throw new Error('no');
        }),
      ).to.throw('no');
      expect([batch.changes, batch.bytes, batch.revision, batch.applied.length]).to.deep.equal([
        changes,
        bytes,
        revision,
        1,
      ]);
      const seen = run(batch, (state) =>
        [kept, gone].map((key) => titleOf(state.resource(isCached ? THINGS : OTHERS).get(key))),
      );
      expect(seen.result).to.deep.equal(['kept', undefined]);
      expect([...batch.counters]).to.deep.equal([]);
    }
  });

  it('does the same for work in steps, whether it is the first of the batch or not', () => {
    for (const isFirst of [true, false]) {
      for (const isDryRun of [true, false]) {
        const batch = evaluation();
        if (!isFirst) run(batch, (state) => state.put(at('b'), thing('B2')));
        const { bytes, revision } = batch;
        const work = (state: TransactionState, end: () => void) =>
          stepsOf(
            () => void state.put(at('a'), thing('lost')),
            () => void state.delete(at('b')),
            () => void state.put(at('s', OTHERS), thing('lost')),
            end,
          );
        const refuse = (): void => {
          throw new Error('no');
        };
        if (isDryRun) expect(run(batch, (state) => work(state, () => undefined), { isDryRun }).result).to.equal('done');
        else expect(() => run(batch, (state) => work(state, refuse))).to.throw('no');
        expect([batch.bytes, batch.revision]).to.deep.equal([bytes, revision]);
        const seen = run(batch, (state) => [
          ...[at('a'), at('b')].map((key) => titleOf(state.resource(THINGS).get(key))),
          state.resource(OTHERS).get(at('s', OTHERS)),
        ]);
        expect(seen.result).to.deep.equal(['A', isFirst ? 'B' : 'B2', undefined]);
      }
    }
  });

  it('keeps the steps of a transaction that ends well', () => {
    const batch = evaluation();
    const { result, applied } = run(batch, (state) =>
      stepsOf(
        () => void state.put(at('a'), thing('A2')),
        () => void state.delete(at('b')),
      ),
    );
    expect([result, applied.length]).to.deep.equal(['done', 2]);
    expect(batch.finish().resource(THINGS).size).to.equal(1);
  });

  it('takes back what a transaction wrote that is ended from outside', () => {
    const batch = evaluation();
    const steps = batch.evaluate({ run: (state) => stepsOf(() => void state.put(at('a'), thing('lost'))) });
    steps.next();
    expect(() => steps.throw(new Error('nobody waits'))).to.throw('nobody waits');
    expect([batch.changes, batch.revision]).to.deep.equal([[], 10]);
  });

  it('counts ids from the last one of the store, of the batch, and of the transaction', () => {
    const batch = evaluation();
    const take = (state: TransactionState) => [state.nextId(THINGS), state.nextId(THINGS), state.nextId(OTHERS)];
    const writing = (state: TransactionState) => {
      state.put(at('z'), thing('Z'));
      return take(state);
    };
    expect(run(batch, take).result, 'it writes nothing').to.deep.equal([2, 3, 1]);
    expect(run(batch, writing, { isDryRun: true }).result).to.deep.equal([2, 3, 1]);
    expect(run(batch, writing).result).to.deep.equal([2, 3, 1]);
    expect(run(batch, writing).result).to.deep.equal([4, 5, 2]);
    expect([...batch.counters]).to.deep.equal([
      [THINGS, 5],
      [OTHERS, 2],
    ]);
    expect(batch.finish().counters.get(THINGS)).to.equal(5);
  });

  it('counts on from an id that is chosen, if that is larger', () => {
    const batch = evaluation();
    const using = (id: number) => (state: TransactionState) => {
      state.put(at('z'), thing('Z'));
      state.useId(THINGS, id);
      return state.nextId(THINGS);
    };
    expect(run(batch, using(40), { isDryRun: true }).result).to.equal(41);
    expect(run(batch, using(7)).result).to.equal(8);
    expect(run(batch, using(3)).result).to.equal(9);
    expect(batch.counters.get(THINGS)).to.equal(9);
  });

  it('refuses what a transaction must not do', () => {
    const batch = evaluation();
    const fails = (work: (state: TransactionState) => unknown) => expect(() => run(batch, work));
    fails((state) => state.delete(at('none'))).to.throw(
      'a transaction deleted things.x/here/none, which does not exist',
    );
    fails((state) => state.put('other.x/here/a' as Key, thing(''))).to.throw('the resource other.x is not declared');
    fails((state) => state.resource('other.x')).to.throw('other.x is not declared');
    fails((state) => state.create(at('a'), thing(''))).to.throw('a transaction created things.x/here/a, which exists');
    expect([batch.changes, batch.revision]).to.deep.equal([[], 10]);
  });

  it('refuses an object above the bound of its resource, unless it was as large before', () => {
    const bounded = (maxBytes: number) => new Definitions([{ ...definition(THINGS), maxBytes }]);
    const before = new Evaluation(base().draft(), bounded(1000));
    run(before, (state) => state.put(at('a'), thing('x'.repeat(500))));
    const batch = new Evaluation(before.finish().draft(), bounded(200));
    const put = (name: string, length: number) => () =>
      run(batch, (state) => state.put(at(name), thing('y'.repeat(length))));
    expect(put('a', 501)).to.throw(/takes \d+ bytes with its metadata, and at most 200 are stored/);
    expect(put('new', 201)).to.throw('things.x "new" takes');
    expect([batch.changes, batch.revision]).to.deep.equal([[], 11]);
    for (const length of [500, 300, 10]) put('a', length)();
    expect(put('a', 300)).to.throw('at most 200');
  });

  it('creates objects, but not one that exists', () => {
    const batch = evaluation();
    run(batch, (state) => {
      state.create(at('new'), thing('N'));
      state.create(at('new', OTHERS), thing('N'), '{"metadata":{"name":"x"},"title":"as sent"}');
    });
    expect(Buffer.from(batch.changes[1]?.value ?? []).toString()).to.equal(
      '{"metadata":{"resourceVersion":"12","name":"x"},"title":"as sent"}',
    );
    expect(() => run(batch, (state) => state.create(at('new', OTHERS), thing('')))).to.throw('which exists');
    run(batch, (state) => state.delete(at('new', OTHERS)));
    run(batch, (state) => state.create(at('new', OTHERS), thing('again')));
    expect(batch.changes).to.have.length(4);
  });
});
