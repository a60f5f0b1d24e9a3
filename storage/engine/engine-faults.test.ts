import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { StorageError } from '../errors.js';
import { withEngine } from '../testing/engine/alone.js';
import { told } from '../testing/engine/fixture.js';
import { create, FOLDERS, key, objectAt } from '../testing/engine/resources.js';
import type { Engine } from './engine.js';
import type { Transaction } from './transaction.js';

/** The first append fails. */
const fails = (error: StorageError) => {
  let isFirst = true;
  return (inner: Backend): Partial<Backend> => ({
    append: (after, batch) => {
      if (!isFirst) return inner.append(after, batch);
      isFirst = false;
      return Promise.reject(error);
    },
  });
};

describe('an append that fails', () => {
  const both = async (engine: Engine): Promise<readonly unknown[]> =>
    Promise.all([
      told(engine.transact(create(FOLDERS, 'a'))),
      told(engine.transact({ run: () => 'nothing' })),
      told(engine.transact(create(FOLDERS, 'b'))),
    ]);

  it(
    'fails its writes, and those that only saw them, but not later ones',
    withEngine(
      async ({ engine }) => {
        expect(await both(engine)).to.deep.equal(['unavailable', 'unavailable', 'unavailable']);
        expect(await told(engine.transact(create(FOLDERS, 'a')))).to.deep.equal([1]);
      },
      fails(new StorageError('unavailable', 'away')),
    ),
  );

  it(
    'without an answer tells its writers that it is unknown, and the others that nothing of theirs was written',
    withEngine(
      async ({ engine, cacher }) => {
        expect(await both(engine)).to.deep.equal(['unknown', 'unavailable', 'unknown']);
        expect(await told(engine.transact(create(FOLDERS, 'c')))).to.deep.equal([3]);
        expect(cacher.state.revision).to.equal(3);
      },
      (() => {
        let isLost = true;
        return (inner: Backend): Partial<Backend> => ({
          append: async (after, batch) => {
            await inner.append(after, batch);
            if (!isLost) return;
            isLost = false;
            throw new StorageError('unknown', 'the answer was lost');
          },
        });
      })(),
    ),
  );

  it(
    'because of one object refuses the write of that object only, and all writes if the object is of none',
    (() => {
      let culprit = key(FOLDERS, 'b');
      return withEngine(
        async ({ engine }) => {
          expect(await both(engine)).to.deep.equal([[1], [], 'rejected']);
          culprit = key(FOLDERS, 'stranger');
          expect(await both(engine)).to.deep.equal(['rejected', 'rejected', 'rejected']);
        },
        (inner) => ({
          append: (after, batch) =>
            batch.changes.some((change) => change.key === key(FOLDERS, 'b'))
              ? Promise.reject(new StorageError('rejected', 'too large', { key: culprit }))
              : inner.append(after, batch),
        }),
      );
    })(),
  );

  it(
    'because of an object that several wrote refuses those of them that cannot be stored',
    withEngine(
      async ({ engine }) => {
        const at = key(FOLDERS, 'b');
        const write = (text: string): Transaction => ({ run: (state) => state.put(at, { ...objectAt(at, {}), text }) });
        const all = [write('small'), write('x'.repeat(2000)), create(FOLDERS, 'other'), write('also small')];
        expect(await Promise.all(all.map((one) => told(engine.transact(one))))).to.deep.equal([
          [1],
          'rejected',
          [2],
          [3],
        ]);
      },
      (inner) => ({
        append: (after, batch) =>
          batch.changes.some(({ value }) => (value?.length ?? 0) > 2000)
            ? Promise.reject(new StorageError('rejected', 'too large', { key: key(FOLDERS, 'b') }))
            : inner.append(after, batch),
      }),
    ),
  );

  it(
    'because of its size is made in parts, and refused only if one write is too large by itself',
    withEngine(
      async ({ engine, appends }) => {
        const [a, b] = ['a', 'b'].map((name) => told(engine.transact(create(FOLDERS, name))));
        const large = told(
          engine.transact({
            run: (state) => {
              for (const name of ['x', 'y', 'z']) state.put(key(FOLDERS, name), objectAt(key(FOLDERS, name), {}));
            },
          }),
        );
        expect(await Promise.all([a, b, large])).to.deep.equal([[1], [2], 'too-large']);
        expect(appends.splice(0, 9)).to.deep.equal([5, 1, 1, 3]);
        const two = ['c', 'd'].map(
          (name): Transaction => ({
            run: (state) => {
              for (const part of ['1', '2'])
                state.put(key(FOLDERS, name + part), objectAt(key(FOLDERS, name + part), {}));
            },
          }),
        );
        for (const one of await Promise.all(two.map((each) => told(engine.transact(each)))))
          expect(one).to.not.equal('too-large');
        expect(appends).to.deep.equal([4, 2, 2]);
      },
      (inner) => ({
        append: (after, batch) =>
          batch.changes.length > 2
            ? Promise.reject(new StorageError('too-large', 'too large'))
            : inner.append(after, batch),
      }),
    ),
  );

  it(
    'because the disk has no room for all of its writes refuses only those for which alone there is none',
    withEngine(
      async ({ engine }) => {
        const large: Transaction = {
          run: (state) => {
            for (const name of ['x', 'y', 'z']) state.put(key(FOLDERS, name), objectAt(key(FOLDERS, name), {}));
          },
        };
        const all = [create(FOLDERS, 'a'), large, create(FOLDERS, 'b')].map((one) => told(engine.transact(one)));
        expect(await Promise.all(all)).to.deep.equal([[1], 'unavailable', [2]]);
      },
      (inner) => ({
        append: (after, batch) =>
          batch.changes.length > 2
            ? Promise.reject(new StorageError('unavailable', 'the disk is full', { isFull: true }))
            : inner.append(after, batch),
      }),
    ),
  );
});

describe('the queue of writes', () => {
  it(
    'has room for ten thousand, and refuses more until some are done',
    withEngine(async ({ engine }) => {
      const nothing: Transaction = { run: () => undefined };
      const waiting = Array.from({ length: 10_000 }, () => engine.transact(nothing));
      expect(await told(engine.transact(nothing))).to.equal('overloaded');
      expect(engine.queued).to.equal(10_000);
      await Promise.all(waiting);
      expect(await told(engine.transact(create(FOLDERS, 'a')))).to.deep.equal([1]);
    }),
  );
});

describe('a batch of writes', () => {
  it(
    'ends at a thousand writes, or at four MiB, and the others go in the next one',
    withEngine(async ({ engine, appends }) => {
      const many = (count: number, size = 0): Transaction => ({
        run: (state) => {
          for (let i = 0; i < count; i++) {
            const at = key(FOLDERS, `x${i}`);
            state.put(at, { ...objectAt(at, {}), text: 'x'.repeat(size) });
          }
        },
      });
      await Promise.all([many(999), many(1), many(1)].map((one) => engine.transact(one)));
      expect(appends.splice(0, 9)).to.deep.equal([1000, 1]);
      await Promise.all([many(4, 2 ** 20), many(1), many(1)].map((one) => engine.transact(one)));
      expect(appends.splice(0, 9)).to.deep.equal([4, 2]);
    }),
  );
});
