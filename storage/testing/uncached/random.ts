import { expect } from 'chai';
import fc from 'fast-check';
import type { Backend, IndexRange, Revision } from '../../backend.js';
import { isStorageError } from '../../errors.js';
import { behind } from '../../range.js';
import { encodeTuple, prefixEnd, rowKey } from '../../tuple.js';
import type { Opened } from '../backend/fixture.js';
import { around } from '../engine/around.js';
import { key, NOTES, OTHERS, plain, type Server, type ServerOptions, type Wish, World } from './fixture.js';
import { History } from './model.js';

const KEYS = ['n', 'n-1', 'n.1'].flatMap((namespace) =>
  ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => key(name, namespace)),
);
/** What exists before the first step. */
const FIRST = KEYS.map((at, i): Wish => ({ at, spec: { time: i % 4, tags: i % 3 === 0 ? ['x'] : ['x', 'y'] } }));
const at = fc.constantFrom(...KEYS);
const time = fc.integer({ min: -2, max: 4 });
const wish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      at,
      spec: fc.record({ time, tags: fc.array(fc.constantFrom('x', 'y', 'y1'), { maxLength: 3 }) }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ at }) },
  { weight: 1, arbitrary: fc.constant({ at: key('other', 'n', OTHERS), spec: { time: 1 } }) },
);
const wishes = fc.array(wish, { minLength: 1, maxLength: 4 });

const bounds = fc.oneof(
  fc.constant({ index: 'byTime', from: '', to: '~' }),
  fc.record({ index: fc.constant('byTime'), from: time.map((n) => encodeTuple([n])), to: fc.constant('~') }),
  fc.record({
    index: fc.constant('byTime'),
    from: fc.constant(''),
    to: fc.tuple(time, at).map(([n, key]) => rowKey(encodeTuple([n]), key)),
  }),
  fc.constantFrom('x', 'y').map((tag) => {
    const from = encodeTuple([tag]);
    return { index: 'byTag', from, to: prefixEnd(from) };
  }),
  fc.constant({ from: '', to: '~' }),
  fc.constantFrom('n', 'n-1').map((namespace) => ({ from: key('', namespace), to: `${NOTES}/${namespace}0` })),
);
const range: fc.Arbitrary<IndexRange> = fc
  .tuple(bounds, fc.integer({ min: 1, max: 6 }), fc.boolean())
  .map(([bound, limit, reverse]) => ({ ...bound, limit, reverse }));

type Step =
  | { readonly op: 'write'; readonly wishes: readonly Wish[] }
  | { readonly op: 'list'; readonly range: IndexRange; readonly back: number }
  /** The next page of a list. Others write before and after each read of the store. */
  | { readonly op: 'page'; readonly list: number; readonly meanwhile: readonly (readonly Wish[])[] }
  | { readonly op: 'compact'; readonly back: number }
  | { readonly op: 'restart' };

const page = fc.record({
  op: fc.constant('page' as const),
  list: fc.nat(5),
  meanwhile: fc.array(wishes, { maxLength: 4 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('write' as const), wishes }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('list' as const), range, back: fc.constantFrom(0, 0, 1, 5, 20) }),
  },
  { weight: 8, arbitrary: page },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('compact' as const), back: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('restart' as const) }) },
);

interface List {
  rest: IndexRange;
  readonly revision: Revision;
}

/** Random lists, page by page, while others write. A failure prints its seed. */
export function randomSuite(open: () => Promise<Opened>, runs: number): void {
  it('returns the same pages as the naive model, at one revision for each list, while others write', async () => {
    const few = fc.constantFrom(12, 50_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), few, async (steps, events) => {
        const run = new Run(new World(await open()), { ringLimits: { events, bytes: 1 << 26 } });
        try {
          await run.start();
          for (const step of steps) await run.take(step);
        } finally {
          await run.stop();
        }
      }),
      { numRuns: runs, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
    );
  });
}

class Run {
  readonly #world: World;
  readonly #options: ServerOptions;
  readonly #lists: List[] = [];
  readonly #meanwhile: (readonly Wish[])[] = [];
  #server!: Server;
  #writer!: Server;
  #history!: History;

  constructor(world: World, options: ServerOptions) {
    this.#world = world;
    this.#options = { ...options, around: (backend) => this.#interfering(backend) };
  }

  async start(): Promise<void> {
    this.#server = await this.#world.start(this.#options);
    this.#writer = await this.#world.startAnother(this.#server);
    this.#history = new History(this.#server.backend);
    await this.#server.write(FIRST);
  }

  async stop(): Promise<void> {
    await this.#history.stop();
    await this.#world.stop();
    await this.#world.opened.destroy();
  }

  async take(step: Step): Promise<void> {
    switch (step.op) {
      case 'write':
        await this.#writer.write(step.wishes);
        return;
      case 'list':
        await this.#list(step.range, step.back);
        return;
      case 'page':
        return this.#page(this.#lists[step.list % this.#lists.length], step.meanwhile);
      case 'compact':
        return this.#compact(step.back);
      case 'restart':
        return this.#restart();
    }
  }

  async #list(range: IndexRange, back: number): Promise<void> {
    const { cacher } = this.#server;
    await cacher.fresh();
    const list = { rest: range, revision: Math.max(0, cacher.state.revision - back) };
    this.#lists.push(list);
    await this.#page(list, []);
  }

  async #page(list: List | undefined, meanwhile: readonly (readonly Wish[])[]): Promise<void> {
    if (list === undefined) return;
    const { reader, cacher, backend } = this.#server;
    await cacher.reach(list.revision);
    this.#meanwhile.splice(0, Number.POSITIVE_INFINITY, ...meanwhile);
    const found = await reader.range(NOTES, list.rest, list.revision).catch((error: unknown) => {
      if (!isStorageError(error, 'compacted')) throw error;
      expect(cacher.ring(NOTES).floor, 'the floor of the ring').to.be.above(list.revision);
      return undefined;
    });
    if (found === undefined) {
      this.#lists.splice(this.#lists.indexOf(list), 1);
      return;
    }
    await this.#history.catchUp(backend);
    expect(plain(found)).to.deep.equal(this.#history.rows(list.rest, list.revision));
    const last = found.at(-1);
    if (last !== undefined) list.rest = behind(list.rest, last.rowKey);
  }

  async #compact(back: number): Promise<void> {
    const { backend } = this.#server;
    await this.#history.catchUp(backend);
    await backend.compact(Math.max(0, this.#history.end - back));
  }

  async #restart(): Promise<void> {
    await this.#history.catchUp(this.#server.backend);
    await this.#history.stop();
    this.#server = await this.#world.restart(this.#options);
    this.#writer = await this.#world.startAnother(this.#server);
    this.#history.follow(this.#server.backend);
  }

  #interfering(backend: Backend): Backend {
    const interfere = async (): Promise<void> => {
      const wishes = this.#meanwhile.shift();
      if (wishes !== undefined) await this.#writer.write(wishes);
    };
    return around(backend, {
      range: async (resource, range) => {
        await interfere();
        const found = await backend.range(resource, range);
        await interfere();
        return found;
      },
    });
  }
}
