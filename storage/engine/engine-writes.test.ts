import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { Cacher } from '../cacher/cacher.js';
import { isStorageError, StorageError } from '../errors.js';
import { refuseColdRead } from '../state/cold-reads.js';
import { withEngine } from '../testing/engine/alone.js';
import { told } from '../testing/engine/fixture.js';
import { create, DEFINITIONS, FOLDERS, key, objectAt } from '../testing/engine/resources.js';
import { Engine, type EngineObserver } from './engine.js';
import { type Transaction, type TransactionState, TransactionSteps } from './transaction.js';

describe('the writes of an engine', () => {
  it(
    'that come together go in one append, and each has its own revisions',
    withEngine(async ({ engine, appends, cacher }) => {
      const all = ['a', 'b', 'c'].map((name) => engine.transact(create(FOLDERS, name)));
      expect(engine.queued).to.equal(3);
      expect((await Promise.all(all)).map(({ applied }) => applied.map(({ revision }) => revision))).to.deep.equal([
        [1],
        [2],
        [3],
      ]);
      expect([appends, cacher.state.revision, engine.queued]).to.deep.equal([[3], 3, 0]);
    }),
  );

  it(
    'have the revision of their commit as their outcome, also those that write nothing',
    withEngine(async ({ engine, appends }) => {
      await engine.transact(create(FOLDERS, 'a'));
      const outcome = await engine.transact({ run: (state) => state.resource(FOLDERS).size });
      expect([outcome, appends]).to.deep.equal([{ revision: 1, applied: [], result: 1 }, [1]]);
    }),
  );

  it(
    'are refused after the engine is closed, and when nobody waits for them any more',
    withEngine(async ({ engine, appends }) => {
      const stop = new AbortController();
      const waiting = engine.transact(create(FOLDERS, 'a'), stop.signal);
      const other = engine.transact(create(FOLDERS, 'b'));
      stop.abort(new StorageError('unavailable', 'nobody waits'));
      expect([await told(waiting), await told(other)]).to.deep.equal(['unavailable', [1]]);
      const last = engine.transact(create(FOLDERS, 'c'));
      const closed = engine.close();
      expect(await told(engine.transact(create(FOLDERS, 'd')))).to.equal('closed');
      await closed;
      expect([await told(last), appends]).to.deep.equal([[2], [1, 1]]);
    }),
  );

  it(
    'may be work in steps, which ends early if nobody waits for it any more',
    withEngine(async ({ engine, appends, cacher }) => {
      const steps = (done: string[], stop?: AbortController): Transaction<string> => ({
        run: (state) =>
          new TransactionSteps(
            (function* () {
              for (const name of ['a', 'b', 'c']) {
                state.put(key(FOLDERS, name), objectAt(key(FOLDERS, name), {}));
                done.push(name);
                if (name === 'b') stop?.abort(new StorageError('unavailable', 'nobody waits'));
                yield;
              }
              return 'done';
            })(),
          ),
      });
      const stop = new AbortController();
      const [all, some]: [string[], string[]] = [[], []];
      expect(await told(engine.transact(steps(some, stop), stop.signal))).to.equal('unavailable');
      expect([some, appends, cacher.state.revision]).to.deep.equal([['a', 'b'], [], 0]);
      const { result, applied } = await engine.transact(steps(all), new AbortController().signal);
      expect([result, all, applied.length, appends]).to.deep.equal(['done', ['a', 'b', 'c'], 3, [3]]);
    }),
  );

  it(
    'wait for the turn of this server, and take up what others wrote before it',
    (() => {
      let end = 0;
      const turns: number[] = [];
      return withEngine(
        async ({ engine, cacher, backend }) => {
          const other = await Cacher.open(backend, { definitions: DEFINITIONS });
          const theirs = new Engine(openMemoryOf(backend), other);
          await theirs.transact(create(FOLDERS, 'theirs'));
          end = 1;
          expect(await told(engine.transact(create(FOLDERS, 'mine')))).to.deep.equal([2]);
          expect([turns, cacher.state.revision]).to.deep.equal([[1], 2]);
          await theirs.close();
          await other.close();
        },
        () => ({
          turn: async () => {
            turns.push(end);
            return end;
          },
        }),
      );
    })(),
  );

  it(
    'are evaluated again when another server wrote meanwhile',
    withEngine(async ({ engine, backend }) => {
      const seen: number[] = [];
      const wins = (state: TransactionState): void => {
        seen.push(state.revision);
        if (seen.length === 1) void directly(backend, 'theirs');
        state.put(key(FOLDERS, 'mine'), objectAt(key(FOLDERS, 'mine'), {}));
      };
      const { revision } = await engine.transact({ run: wins });
      expect([seen, revision]).to.deep.equal([[0, 1], 2]);
    }),
  );

  it(
    'that are refused are judged again on what others wrote',
    withEngine(async ({ engine, backend }) => {
      const seen: number[] = [];
      const outcome = await engine.transact({
        run: (state) => {
          seen.push(state.revision);
          if (seen.length === 1) void directly(backend, 'theirs');
          return state.resource(FOLDERS).size;
        },
      });
      expect([seen, outcome.result]).to.deep.equal([[0, 1], 1]);
    }),
  );

  it(
    'are told to an observer: what waited, what was appended, and what was in vain',
    (() => {
      const notes: string[] = [];
      const observer: EngineObserver = {
        dequeued: (waited) => void notes.push(`taken ${waited >= 0 && waited < 5000}`),
        appended: (changes, took, error) =>
          void notes.push(`${changes} ${took >= 0 && took < 5000} ${isStorageError(error) ? error.code : 'done'}`),
      };
      return withEngine(
        async ({ engine }) => {
          await Promise.all([engine.transact(create(FOLDERS, 'a')), engine.transact(create(FOLDERS, 'b'))]);
          expect(await told(engine.transact(create(FOLDERS, 'c')))).to.equal('unavailable');
          expect(notes).to.deep.equal([
            'taken true',
            '2 true behind',
            'taken true',
            '2 true done',
            'taken true',
            '1 true unavailable',
          ]);
        },
        (() => {
          const errors = [new StorageError('behind', ''), undefined, new StorageError('unavailable', '')];
          return (inner: Backend): Partial<Backend> => ({
            append: (after, batch) => {
              const error = errors.shift();
              return error === undefined ? inner.append(after, batch) : Promise.reject(error);
            },
          });
        })(),
        observer,
      );
    })(),
  );

  it(
    'end the turn of this server if there is nothing to append after all',
    (() => {
      let passed = 0;
      return withEngine(
        async ({ engine }) => {
          await engine.transact(create(FOLDERS, 'a'));
          expect(passed).to.equal(0);
          await engine.transact({ run: () => 'nothing' });
          expect(passed).to.equal(1);
        },
        () => ({ pass: () => void passed++ }),
      );
    })(),
  );

  it(
    'are not held up by one that reads what only the disk has',
    withEngine(async ({ engine, appends }) => {
      const { end, cold } = coldWrite('cold');
      const waiting = engine.transact(cold);
      await engine.transact(create(FOLDERS, 'a'));
      await engine.transact(create(FOLDERS, 'b'));
      end();
      expect([await told(waiting), appends]).to.deep.equal([[3], [1, 1, 1]]);
    }),
  );

  it(
    'fail alone if the disk cannot be read',
    withEngine(async ({ engine, appends }) => {
      const { end, cold } = coldWrite('cold');
      const [waiting, other] = [engine.transact(cold), engine.transact(create(FOLDERS, 'a'))];
      end(new Error('EIO'));
      expect([await waiting.catch(String), await told(other), appends]).to.deep.equal(['Error: EIO', [1], [1]]);
    }),
  );

  it(
    'that wait for the disk are done before the engine is closed',
    withEngine(async ({ engine, appends }) => {
      const { end, cold } = coldWrite('cold');
      const waiting = engine.transact(cold);
      while (engine.queued > 0) await setImmediate();
      const closed = engine.close();
      end();
      await closed;
      expect([await told(waiting), appends]).to.deep.equal([[1], [1]]);
    }),
  );
});

/** A write that first reads what only the disk has. `end` ends the read of the disk. */
function coldWrite(name: string): { readonly cold: Transaction; end(error?: Error): void } {
  const stop = new EventEmitter();
  const ended = once(stop, 'end') as Promise<[Error?]>;
  let isLoaded = false;
  const load = async (): Promise<void> => {
    const [error] = await ended;
    if (error !== undefined) throw error;
    isLoaded = true;
  };
  const { run } = create(FOLDERS, name);
  return {
    end: (error) => void stop.emit('end', error),
    cold: { run: (state) => (isLoaded ? run(state) : refuseColdRead(load)) },
  };
}

/** The same store without what the engine under test changes of it. */
function openMemoryOf(backend: Backend): Backend {
  return { ...backend, turn: async () => 0 };
}

async function directly(backend: Backend, name: string): Promise<void> {
  const at = key(FOLDERS, name);
  const value = Buffer.from(`{"metadata":{"resourceVersion":"1","name":"${name}"},"spec":{}}`);
  await backend.append(0, { commitId: name, changes: [{ key: at, revision: 1, value }], counters: new Map() });
  await setImmediate();
}
