import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/system/testing/runs.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import { StorageError } from '../../storage/errors.js';
import { partsOf } from '../../storage/key.js';
import { Client } from '../client/client.js';
import type { Entry } from '../read/reader.js';
import { create, HOUSE, LAMP, type LampSpec, ROOM } from '../testing/house.js';
import { ROOT, type Served, serve } from '../testing/served.js';
import { orderedIn } from './ordered.js';
import type { SearchConditions } from './ordered-base.js';

const ALL: SearchConditions = { words: [], rows: [], isDescending: false, excludes: () => false };
const namesOf = (entries: Iterable<Entry>): readonly string[] => [...entries].map(({ key }) => partsOf(key).name);

interface Lamp {
  readonly name: string;
  readonly watts: number;
  readonly colour: string;
  readonly chest: string | undefined;
}

describe('the entries of an index in order', () => {
  let served: Served;
  let cacher: Cacher;
  let client: Client;
  beforeEach(async () => {
    served = await serve(HOUSE);
    ({ cacher } = served.registry);
    client = new Client(served.registry, { user: ROOT, isTrusted: true });
    for (const room of ['hall', 'attic']) await create(served, ROOM, room);
  });
  afterEach(() => served.close());

  const lamps = (namespace = 'hall') => client.objects<LampSpec>(LAMP, namespace);
  const put = (name: string, watts: number, colour = 'red', namespace = 'hall') =>
    client.transact((transaction) =>
      transaction.objects<LampSpec>(LAMP, namespace).put(name, () => ({ watts, colour })),
    );
  const find = async (wanted: Partial<SearchConditions> = {}, namespace = 'hall', from: Cacher = cacher) =>
    namesOf((await orderedIn(from, LAMP.qualified, 'byWatts', namespace)).matching({ ...ALL, ...wanted }));

  /** The cacher, with a count of how often all entries are read. */
  function counting(more: Partial<Cacher> = {}): { readonly cacher: Cacher; reads: number } {
    const counted = { reads: 0, cacher: cacher };
    const resource = (name: string) => {
      const state = cacher.resource(name);
      const range = (...asked: Parameters<typeof state.range>) => {
        counted.reads++;
        return state.range(...asked);
      };
      return { range, get: state.get.bind(state) };
    };
    const fake = {
      get state() {
        return cacher.state;
      },
      ring: (name: string) => cacher.ring(name),
      resource,
      ...more,
    };
    counted.cacher = fake as unknown as Cacher;
    return counted;
  }

  it('are those of one namespace at the newest state, also after changes in others and of other kinds', async () => {
    await put('b', 2);
    await put('a', 3);
    await put('c', 1, 'red', 'attic');
    expect(await find()).to.deep.equal(['b', 'a']);
    await put('d', 0, 'red', 'attic');
    await create(served, ROOM, 'cellar');
    expect(await find()).to.deep.equal(['b', 'a']);
    expect(await find({}, 'attic')).to.deep.equal(['d', 'c']);
  });

  it('are also in the order of the keys, if their tuples are the same', async () => {
    for (const name of ['b', 'c', 'a']) await put(name, 1);
    expect(await find()).to.deep.equal(['a', 'b', 'c']);
    expect(await find({ isDescending: true })).to.deep.equal(['c', 'b', 'a']);
  });

  it('are the same as if all entries were read for each search', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const change = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          name,
          watts: fc.integer({ min: 48, max: 53 }),
          colour: fc.constantFrom('red', 'dark red', 'blue'),
          chest: fc.constantFrom(undefined, 'oak'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ gone: name }) },
      {
        weight: 2,
        arbitrary: fc.record({
          words: fc.constantFrom([], ['red'], ['dark', 'red'], ['blue']),
          isBright: fc.boolean(),
          isDescending: fc.boolean(),
          isFree: fc.boolean(),
        }),
      },
    );
    await create(served, HOUSE[2] as (typeof HOUSE)[number], 'oak');
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
        const known = new Map<string, Lamp>();
        // These are there when the entries are first read.
        for (const [i, one] of ['a', 'c', 'e', 'x', 'y', 'z'].entries()) {
          await put(one, 48 + i);
          known.set(one, { name: one, watts: 48 + i, colour: 'red', chest: undefined });
        }
        const { cacher: read } = counting();
        expect(await find({}, 'hall', read)).to.deep.equal([...known.keys()]);
        for (const one of changes) {
          if ('gone' in one) {
            if (known.delete(one.gone)) await lamps().delete(one.gone);
          } else if ('name' in one) {
            known.set(one.name, one);
            const annotations = one.chest === undefined ? {} : { in: one.chest };
            const spec = { watts: one.watts, colour: one.colour };
            await client.transact((transaction) => {
              const objects = transaction.objects<LampSpec>(LAMP, 'hall');
              if (objects.find(one.name) === undefined)
                return objects.create({ metadata: { name: one.name, annotations }, spec });
              return objects.update(one.name, (old) => ({ ...old, metadata: { ...old.metadata, annotations }, spec }));
            });
          } else {
            const { words, isBright, isDescending, isFree } = one;
            const expected = [...known.values()]
              .filter(({ colour }) => words.every((word) => colour.includes(word)))
              .filter(({ watts }) => !isBright || watts > 50)
              .filter(({ chest }) => !isFree || chest === undefined)
              .sort((a, b) => a.watts - b.watts || (a.name < b.name ? -1 : 1))
              .map(({ name: found }) => found);
            const rows = isBright ? [{ index: 'byLight', tuple: ['bright'] }] : [];
            const excludes = (container: string | undefined) => isFree && container !== undefined;
            expect(await find({ words, rows, isDescending, excludes }, 'hall', read)).to.deep.equal(
              isDescending ? expected.reverse() : expected,
            );
          }
        }
        for (const left of known.keys()) await lamps().delete(left);
      }),
      { numRuns: runs(20) },
    );
  });

  it('are read once, and then only what has changed', async () => {
    await put('a', 1);
    const counted = counting();
    for (let i = 2; i <= 20; i++) {
      await put(`b${i}`, i);
      expect(await find({}, 'hall', counted.cacher)).to.have.length(i);
    }
    await create(served, ROOM, 'cellar');
    expect(await find({}, 'hall', counted.cacher)).to.have.length(20);
    expect(counted.reads).to.equal(1);
    expect(await find({}, 'attic', counted.cacher)).to.deep.equal([]);
    expect(counted.reads).to.equal(2);
  });

  it('are read in steps if there are many, once for all who ask meanwhile, and then have what was written meanwhile', async () => {
    await client.transact((transaction) => {
      const objects = transaction.objects<LampSpec>(LAMP, 'hall');
      for (let i = 0; i < 1200; i++) objects.create({ metadata: { name: `n${i}` }, spec: { watts: i % 100 } });
    });
    const counted = counting();
    const first = orderedIn(counted.cacher, LAMP.qualified, 'byWatts', 'hall');
    const writing = put('late', 1);
    const second = orderedIn(counted.cacher, LAMP.qualified, 'byWatts', 'hall');
    expect([first instanceof Promise, second instanceof Promise]).to.deep.equal([true, true]);
    await Promise.all([first, second]);
    await writing;
    expect(await find({}, 'hall', counted.cacher)).to.have.length(1201);
    expect(counted.reads).to.equal(1);
  });

  it('are read again after more than a thousand changes, at once or one after another', async () => {
    const counted = counting();
    const many = (from: number, to: number) =>
      client.transact((transaction) => {
        const objects = transaction.objects<LampSpec>(LAMP, 'hall');
        for (let i = from; i < to; i++) objects.create({ metadata: { name: `n${i}` }, spec: { watts: i % 100 } });
      });
    const read = async () => (await find({}, 'hall', counted.cacher)).length;
    expect([await read(), counted.reads]).to.deep.equal([0, 1]);
    await many(0, 1000);
    expect([await read(), counted.reads]).to.deep.equal([1000, 1]);
    await many(1000, 1001);
    expect([await read(), counted.reads]).to.deep.equal([1001, 2]);
    await many(1001, 2002);
    expect([await read(), counted.reads]).to.deep.equal([2002, 3]);
    await many(2002, 2003);
    expect([await read(), counted.reads]).to.deep.equal([2003, 3]);
  });

  it('are read again if the changes are no longer known, and any other failure is one', async () => {
    let failure: Error | undefined;
    const ring = (name: string) => {
      const real = cacher.ring(name);
      return {
        get end() {
          return real.end;
        },
        at: (position: number) => real.at(position),
        position: (revision: number) => {
          if (failure !== undefined) throw failure;
          return real.position(revision);
        },
      };
    };
    const counted = counting({ ring } as unknown as Partial<Cacher>);
    const read = () => find({}, 'hall', counted.cacher);
    await put('a', 1);
    expect([await read(), counted.reads]).to.deep.equal([['a'], 1]);
    await put('b', 2);
    failure = new StorageError('compacted', 'too old');
    expect([await read(), counted.reads]).to.deep.equal([['a', 'b'], 2]);
    failure = undefined;
    await lamps().delete('a');
    expect([await read(), counted.reads]).to.deep.equal([['b'], 2]);
    await put('c', 3);
    failure = new TypeError('a defect');
    expect(await read().catch(String)).to.include('a defect');
  });
});
