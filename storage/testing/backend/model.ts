import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../pkg/system/testing/runs.js';
import type { Backend, Put } from '../../backend.js';
import { isStorageError } from '../../errors.js';
import { openMemory } from '../../memory/backend.js';
import { batchOf, changesOf, key, loadAll, type Opened, plainCommit, plainStored, read, type Wish } from './fixture.js';

const names = fc.constantFrom('a', 'b', 'c', 'd', 'a.b', '$x', 'é');
const wish = fc.record(
  {
    key: names.map((name) => key(name)),
    value: fc.json().map((text) => new TextEncoder().encode(text)),
  },
  { requiredKeys: ['key'] },
);
type Step =
  | { readonly op: 'append'; readonly wishes: readonly Wish[]; readonly stale: number; readonly counter: number }
  | { readonly op: 'compact'; readonly through: number }
  | { readonly op: 'tail'; readonly back: number }
  | { readonly op: 'materialize' }
  | { readonly op: 'reopen' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('append' as const),
      wishes: fc.array(wish, { minLength: 1, maxLength: 5 }),
      stale: fc.constantFrom(0, 0, 0, 0, 1, -1),
      counter: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('compact' as const), through: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('tail' as const), back: fc.nat(12) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('materialize' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reopen' as const) }) },
);

/** Runs random histories on the backend and on the naive model. All answers must agree. A failure prints its seed. */
export function modelSuite(open: () => Promise<Opened>, usual: number): void {
  describe('model', () => {
    it('answers random operations like the naive model', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          const opened = await open();
          try {
            await compare(opened, steps);
          } finally {
            await opened.destroy();
          }
        }),
        { numRuns: runs(usual), interruptAfterTimeLimit: 45_000, markInterruptAsFailure: false },
      );
    });
  });
}

async function compare(opened: Opened, steps: readonly Step[]): Promise<void> {
  const model = openMemory();
  let backend = opened.backend;
  for (const step of steps) {
    if (step.op === 'reopen') backend = await opened.reopen();
    else expect(await run(backend, step, model)).to.deep.equal(await run(model, step, model));
    expect(await state(backend)).to.deep.equal(await state(model));
  }
}

/**
 * Runs one step and returns a result that can be compared. `model` chooses the revisions, so that both get the same
 * calls.
 */
async function run(backend: Backend, step: Exclude<Step, { readonly op: 'reopen' }>, model: Backend): Promise<unknown> {
  switch (step.op) {
    case 'append':
      return append(backend, step.wishes, step.stale, step.counter);
    case 'compact':
      return told(() => backend.compact(step.through));
    case 'materialize':
      return told(async () => void (await backend.materialize?.()));
    case 'tail': {
      const end = await model.end();
      return told(async () => (await read(backend, Math.max(0, end - step.back), end)).map(plainCommit));
    }
  }
}

async function append(backend: Backend, wishes: readonly Wish[], stale: number, counter: number): Promise<unknown> {
  const after = (await backend.end()) + stale;
  const current = await backend.get(wishes.map((wish) => wish.key));
  const changes: readonly Put[] = changesOf(after, wishes, current);
  const name = `c${counter % 3}`;
  const counters = counter === 0 ? {} : { [name]: ((await backend.counters()).get(name) ?? 0) + counter };
  return told(() => backend.append(after, batchOf(changes, counters)));
}

async function told(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return (await work()) ?? 'done';
  } catch (error) {
    if (isStorageError(error)) return error.code;
    throw error;
  }
}

async function state(backend: Backend): Promise<unknown> {
  return {
    end: await backend.end(),
    compacted: await backend.compacted(),
    objects: (await loadAll(backend)).map(plainStored),
    counters: Object.fromEntries([...(await backend.counters())].sort()),
  };
}
