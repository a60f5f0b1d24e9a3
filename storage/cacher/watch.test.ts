import { expect } from 'chai';
import type { Backend, Put } from '../backend.js';
import { type Key, keyOf } from '../key.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { encodeText } from '../state/codec.js';
import { batchOf } from '../testing/backend/fixture.js';
import { around } from '../testing/engine/around.js';
import { DASHBOARDS, DEFINITIONS, FOLDERS, key, objectAt } from '../testing/engine/resources.js';
import { Cacher } from './cacher.js';
import type { RingLimits } from './ring.js';
import { Watch } from './watch.js';
import { STEP_DELIVERIES, type WatchOptions, type WatchStep } from './watch-step.js';

const PLACE = { namespace: 'default' };
const turns = async (count = 20): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};
const many = (count: number): readonly Key[] => Array.from({ length: count }, (_, i) => key(FOLDERS, `n${i}`));
const sizes = (steps: readonly WatchStep[]) => steps.map(({ deliveries, through }) => [deliveries.length, through]);
const revisions = (steps: readonly WatchStep[]): readonly number[] =>
  steps.flatMap(({ deliveries }) => deliveries.map(({ event }) => event.revision));
const upTo = (end: number): readonly number[] => Array.from({ length: end }, (_, i) => i + 1);

describe('Watch', () => {
  let backend: Backend;
  let cacher: Cacher;
  /** Reads of the log that have not ended. */
  let tails: number;
  let stop: AbortController;

  beforeEach(() => {
    const memory = openMemory(memoryStore(), Date.now, false);
    [tails, stop] = [0, new AbortController()];
    backend = around(memory, {
      tail: async function* (after, signal) {
        tails++;
        try {
          yield* memory.tail(after, signal);
        } finally {
          tails--;
        }
      },
    });
  });

  afterEach(async () => {
    stop.abort();
    await cacher.close();
    await backend.close();
  });

  /** Appends one commit with a new object of each key. */
  async function append(keys: readonly Key[]): Promise<number> {
    const after = await backend.end();
    const changes = keys.map((at, i): Put => {
      const revision = after + i + 1;
      return { key: at, revision, value: encodeText(JSON.stringify(objectAt(at, {})), revision) };
    });
    await backend.append(after, batchOf(changes));
    return after + keys.length;
  }

  async function open(ringLimits: RingLimits = { events: 10_000, bytes: 1 << 24 }): Promise<void> {
    cacher = await Cacher.open(backend, { definitions: DEFINITIONS, ringLimits });
  }

  function watch(more: Partial<WatchOptions> = {}): Watch {
    return new Watch(cacher, { resource: FOLDERS, after: 0, selects: () => true, signal: stop.signal, ...more });
  }

  /** All steps until one reaches the revision. */
  async function until(steps: Watch, end: number): Promise<readonly WatchStep[]> {
    const found: WatchStep[] = [];
    for (let i = 0; i < 100 && (found.at(-1)?.through ?? 0) < end; i++) {
      const step = steps.take();
      if (step === undefined) await turns(2);
      else found.push(step);
    }
    return found;
  }

  it('gives a large commit in steps, and says only with the last one that the commit is complete', async () => {
    await open();
    const [whole, part] = [watch(), watch({ scope: PLACE })];
    part.take();
    const end = await append(many(2 * STEP_DELIVERIES + 1));
    await cacher.catchUp(end);
    const expected = [
      [STEP_DELIVERIES, undefined],
      [STEP_DELIVERIES, undefined],
      [1, end],
    ];
    for (const steps of [whole, part]) {
      const found = await until(steps, end);
      expect(sizes(found)).to.deep.equal(expected);
      expect(revisions(found)).to.deep.equal(upTo(end));
    }
  });

  it('gives the same steps if it reads the commit from the log', async () => {
    const end = await append(many(2 * STEP_DELIVERIES));
    await open();
    const found = await until(watch(), end);
    expect(sizes(found)).to.deep.equal([
      [STEP_DELIVERIES, undefined],
      [STEP_DELIVERIES, end],
    ]);
    expect(revisions(found)).to.deep.equal(upTo(end));
    const first = found[0]?.deliveries[0]?.frame().toString();
    expect(JSON.parse(first ?? ''))
      .to.deep.include({ type: 'ADDED' })
      .and.have.nested.property('object.metadata.name', 'n0');
  });

  it('loses and repeats nothing of the log if it is asked before there is a step', async () => {
    for (let i = 0; i < 5; i++) await append([key(FOLDERS, `n${i}`)]);
    await open();
    const steps = watch();
    for (let i = 0; i < 3; i++) expect(steps.take()).to.equal(undefined);
    expect(revisions(await until(steps, 5))).to.deep.equal(upTo(5));
  });

  it('reaches the end of the log although nothing in it is for this watch', async () => {
    await append([key(DASHBOARDS, 'd')]);
    const end = await append([key(FOLDERS, 'a'), keyOf(FOLDERS, 'other', 'b')]);
    await open();
    for (const more of [{ selects: () => false }, { scope: { namespace: 'nobody' } }]) {
      const found = await until(watch(more), end);
      expect(found.at(-1)?.through).to.equal(end);
      expect(revisions(found)).to.deep.equal([]);
    }
  });

  it('stops reading the log when the ring has what follows, and when it is closed', async () => {
    for (const name of ['a', 'b', 'c']) await append([key(FOLDERS, name)]);
    await open();
    const [followed, closed] = [watch(), watch()];
    await until(followed, 3);
    await until(closed, 1);
    closed.close();
    await turns();
    expect(tails).to.equal(0);
    await cacher.catchUp(await append([key(FOLDERS, 'd')]));
    expect(revisions(await until(followed, 4))).to.deep.equal([4]);
    expect(tails).to.equal(0);
  });

  it('of a part gives all of more changes than it is told of one by one', async () => {
    await open();
    await cacher.catchUp(await append([key(FOLDERS, 'first')]));
    const steps = watch({ scope: PLACE });
    steps.take();
    const end = await append(many(1500));
    await cacher.catchUp(end);
    expect(revisions(await until(steps, end))).to.deep.equal(upTo(end).slice(1));
  });

  it('of a part wakes for changes of this part only', async () => {
    await open();
    const steps = watch({ scope: PLACE, selects: ({ key: at }) => !at.endsWith('hidden') });
    expect(steps.isDue).to.equal(true);
    steps.take();
    expect(steps.isDue).to.equal(false);
    let woken = 0;
    steps.onReady = () => {
      woken++;
    };
    await cacher.catchUp(await append([keyOf(FOLDERS, 'other', 'a'), key(DASHBOARDS, 'd')]));
    expect([woken, steps.isDue]).to.deep.equal([0, false]);
    await cacher.catchUp(await append([key(FOLDERS, 'hidden'), key(FOLDERS, 'b')]));
    expect([woken, steps.isDue]).to.deep.equal([1, true]);
    const step = steps.take() as WatchStep;
    expect(sizes([step])).to.deep.equal([[1, 4]]);
    expect(step.deliveries[0]?.frame().toString()).to.match(/^{"type":"ADDED",.*}\n$/);
    const late = watch({ selects: ({ key: at }) => !at.endsWith('hidden') });
    expect(sizes([late.take() as WatchStep])).to.deep.equal([[2, 4]]);
    expect(steps.isDue).to.equal(false);
  });

  it('is due as long as a step was not the last', async () => {
    await open();
    const steps = watch();
    await cacher.catchUp(await append(many(STEP_DELIVERIES + 1)));
    expect([steps.take()?.through, steps.isDue]).to.deep.equal([undefined, true]);
    expect([steps.take()?.through, steps.isDue]).to.deep.equal([STEP_DELIVERIES + 1, false]);
  });

  it('fails with the error of a selector, instead of reading on', async () => {
    await open();
    const steps = watch({
      selects: () => {
        throw new Error('on purpose');
      },
    });
    await cacher.catchUp(await append([key(FOLDERS, 'a')]));
    expect(() => steps.take()).to.throw('on purpose');
  });

  it('repeats nothing if the changes leave the memory between two steps of a part', async () => {
    await open({ events: 300, bytes: 1 << 24 });
    const steps = watch({ scope: PLACE });
    steps.take();
    await cacher.catchUp(await append(many(300)));
    const first = steps.take() as WatchStep;
    expect(sizes([first])).to.deep.equal([[STEP_DELIVERIES, undefined]]);
    const others = Array.from({ length: 300 }, (_, i) => keyOf(FOLDERS, 'other', `n${i}`));
    await cacher.catchUp(await append(others));
    expect(revisions([first, ...(await until(steps, 600))])).to.deep.equal(upTo(300));
  });

  it('gives nothing up to the revision that it starts at, also if the server has not reached it yet', async () => {
    await open();
    const steps = watch({ after: 3 });
    expect(steps.take()?.deliveries).to.deep.equal([]);
    const end = await append(many(5));
    await cacher.catchUp(end);
    expect(revisions(await until(steps, end))).to.deep.equal([4, 5]);
  });

  it('is not due while it waits for the log, and is due until it has reached the ring', async () => {
    for (const name of ['a', 'b']) await append([key(FOLDERS, name)]);
    await open();
    await cacher.catchUp(await append([key(FOLDERS, 'c')]));
    const steps = watch();
    expect([steps.take(), steps.isDue]).to.deep.equal([undefined, false]);
    const found: (WatchStep | undefined)[] = [];
    for (let i = 0; i < 10; i++) {
      await turns(2);
      for (let more = 0; steps.isDue && more < 10; more++) {
        const step = steps.take();
        if (step !== undefined && found.length === 0) expect(steps.isDue, 'the log has more').to.equal(true);
        if (step !== undefined) found.push(step);
      }
    }
    expect(revisions(found as WatchStep[])).to.deep.equal([1, 2, 3]);
    expect(steps.isDue).to.equal(false);
  });

  it('is not due when it begins to read what has left the memory', async () => {
    await open({ events: 2, bytes: 1 << 24 });
    const steps = watch();
    steps.take();
    await cacher.catchUp(await append(many(5)));
    expect([steps.isDue, steps.take(), steps.isDue]).to.deep.equal([true, undefined, false]);
    expect(revisions(await until(steps, 5))).to.deep.equal(upTo(5));
  });

  it('gives each commit of the log once, and no step without changes after it', async () => {
    await append(many(STEP_DELIVERIES));
    const end = await append([key(FOLDERS, 'last')]);
    await open();
    expect(sizes(await until(watch(), end))).to.deep.equal([
      [STEP_DELIVERIES, STEP_DELIVERIES],
      [1, end],
    ]);
  });

  it('of a part gives each change once, and can be closed at any time', async () => {
    await open();
    const steps = watch({ scope: PLACE });
    for (const [i, name] of ['a', 'b', 'c'].entries()) {
      steps.take();
      await cacher.catchUp(await append([key(FOLDERS, name)]));
      expect(revisions([steps.take() as WatchStep])).to.deep.equal([i + 1]);
    }
    for (const one of [steps, watch()]) one.close();
    await cacher.catchUp(await append([key(FOLDERS, 'd')]));
    expect(steps.isDue).to.equal(false);
  });
});
