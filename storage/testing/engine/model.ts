import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../pkg/system/testing/runs.js';
import type { Transaction } from '../../engine/transaction.js';
import type { Opened } from '../backend/fixture.js';
import { allTold, contents, expectConsistent, type Server, World } from './fixture.js';
import { create, DASHBOARDS, FOLDERS, key, move, put, remove, removeTree, type Spec } from './resources.js';
import { replayed, Watching } from './watching.js';

interface Object {
  readonly revision: number;
  readonly spec: Spec;
  readonly id?: number;
}

/** The engine as a map. Runs one operation after another, each atomically. */
class Model {
  revision = 0;
  objects = new Map<string, Object>();
  readonly #ids = new Map<string, number>();

  apply(operation: Operation): readonly number[] | string {
    switch (operation.op) {
      case 'create':
        return this.#create(operation.resource, operation.name, operation.parent, operation.title);
      case 'put':
        return this.#put(operation.resource, operation.name, operation.n);
      case 'move':
        return this.#move(operation.name, operation.parent);
      case 'remove':
        return this.#remove(operation.resource, operation.name);
      case 'removeTree':
        return this.#removeTree(operation.name);
    }
  }

  #create(resource: string, name: string, parent: string, title: string): readonly number[] | string {
    if (this.#get(resource, name) !== undefined) return 'exists';
    if (parent !== '' && this.#get(FOLDERS, parent) === undefined) return 'no parent';
    for (const [at, { spec }] of this.objects) {
      if (at.startsWith(`${resource}/`) && spec.title === title) return 'taken';
    }
    const id = (this.#ids.get(resource) ?? 0) + 1;
    this.#ids.set(resource, id);
    return this.#set(resource, name, { parent, title }, id);
  }

  #put(resource: string, name: string, n: number): readonly number[] | string {
    const old = this.#get(resource, name);
    if (old !== undefined && old.id === undefined && JSON.stringify(old.spec) === JSON.stringify({ n })) return [];
    return this.#set(resource, name, { n });
  }

  #move(name: string, parent: string): readonly number[] | string {
    const old = this.#get(FOLDERS, name);
    if (old === undefined) return 'missing';
    if (parent !== '' && this.#get(FOLDERS, parent) === undefined) return 'no parent';
    for (let up = parent; up !== ''; up = this.#get(FOLDERS, up)?.spec.parent ?? '') if (up === name) return 'cycle';
    if ((old.spec.parent ?? '') === parent) return [];
    return this.#set(FOLDERS, name, { ...old.spec, parent }, old.id);
  }

  #remove(resource: string, name: string): readonly number[] | string {
    if (this.#get(resource, name) === undefined) return 'missing';
    if (resource === FOLDERS && this.#children(name).length > 0) return 'not empty';
    this.objects.delete(key(resource, name));
    return [++this.revision];
  }

  #removeTree(name: string): readonly number[] | string {
    if (this.#get(FOLDERS, name) === undefined) return 'missing';
    const gone = [`${key(FOLDERS, name)}`];
    for (const at of gone) if (at.startsWith(FOLDERS)) gone.push(...this.#children(at.slice(at.lastIndexOf('/') + 1)));
    for (const at of gone) this.objects.delete(at);
    return gone.map(() => ++this.revision);
  }

  #get(resource: string, name: string): Object | undefined {
    return this.objects.get(key(resource, name));
  }

  #set(resource: string, name: string, spec: Spec, id?: number): readonly number[] {
    this.objects.set(key(resource, name), { revision: ++this.revision, spec, ...(id !== undefined && { id }) });
    return [this.revision];
  }

  #children(name: string): readonly string[] {
    return [...this.objects].filter(([, { spec }]) => spec.parent === name).map(([at]) => at);
  }
}

const resource = fc.constantFrom(FOLDERS, DASHBOARDS);
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const parent = fc.constantFrom('', 'a', 'b', 'c', 'd');
const operation = fc.oneof(
  fc.record({
    op: fc.constant('create' as const),
    resource,
    name,
    parent,
    title: fc.constantFrom('t1', 't2', 't3', 't4'),
  }),
  fc.record({ op: fc.constant('put' as const), resource: fc.constant(DASHBOARDS), name, n: fc.nat(2) }),
  fc.record({ op: fc.constant('move' as const), name, parent }),
  fc.record({ op: fc.constant('remove' as const), resource, name }),
  fc.record({ op: fc.constant('removeTree' as const), name }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  { weight: 12, arbitrary: fc.array(operation, { minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
  { weight: 1, arbitrary: fc.constant('compact' as const) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/**
 * Runs random histories on the engine and on the model. Results, states, exact revisions and watches must agree. A
 * failure prints its seed.
 */
export function modelSuite(open: () => Promise<Opened>, usual: number): void {
  describe('model', () => {
    it('does what the naive model does, at every revision', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
          const world = new World(await open());
          try {
            await compare(world, steps);
            await world.stop();
          } finally {
            await world.opened.destroy();
          }
        }),
        { numRuns: runs(usual), interruptAfterTimeLimit: 45_000, markInterruptAsFailure: false },
      );
    });
  });
}

async function compare(world: World, steps: readonly Step[]): Promise<void> {
  const model = new Model();
  const recorded = new Map([[0, model.objects]]);
  let server = await world.start();
  for (const step of steps) {
    if (step === 'restart') {
      server = await world.restart();
    } else if (step === 'compact') {
      await server.backend.compact(Math.max(0, model.revision - 10));
    } else {
      model.objects = new Map(model.objects);
      const expected = step.map((one) => model.apply(one));
      expect(await allTold(step.map((one) => server.engine.transact(transactionOf(one))))).to.deep.equal(expected);
      recorded.set(model.revision, model.objects);
    }
    expect(server.cacher.state.revision).to.equal(model.revision);
    expect(stateOf(server, model.revision)).to.deep.equal(plainModel(model.objects));
  }
  await expectConsistent(server);
  // A server that was started later has earlier changes only from the log.
  const floor = Math.min(server.cacher.recent.floor, await server.backend.compacted());
  for (const [revision, objects] of recorded) {
    if (revision < floor) continue;
    await server.cacher.past.recall(revision);
    expect(stateOf(server, revision), `at ${revision}`).to.deep.equal(plainModel(objects));
    await expectReplay(server, revision, model.revision);
  }
}

/** A list at `from` and a watch from there must give the final bytes. */
async function expectReplay(server: Server, from: number, end: number): Promise<void> {
  for (const resource of [FOLDERS, DASHBOARDS]) {
    const texts = (revision: number): ReadonlyMap<string, string> =>
      new Map(contents(server.cacher.past.at(resource, revision), resource).map(({ key, value }) => [key, value]));
    const watching = new Watching(server, { resource, after: from });
    const reached = replayed(texts(from), await watching.until(end));
    await watching.stop();
    expect(Object.fromEntries(reached)).to.deep.equal(Object.fromEntries(texts(end)));
  }
}

function transactionOf(operation: Operation): Transaction {
  switch (operation.op) {
    case 'create':
      return create(operation.resource, operation.name, { parent: operation.parent, title: operation.title });
    case 'put':
      return put(operation.resource, operation.name, { n: operation.n });
    case 'move':
      return move(operation.name, operation.parent);
    case 'remove':
      return remove(operation.resource, operation.name);
    case 'removeTree':
      return removeTree(operation.name);
  }
}

function stateOf({ cacher }: Server, revision: number): Readonly<Record<string, unknown>> {
  const held = [FOLDERS, DASHBOARDS].flatMap((resource) => contents(cacher.past.at(resource, revision), resource));
  return Object.fromEntries(
    held.map(({ key, revision, value }) => {
      const { spec, metadata } = JSON.parse(value) as { spec: Spec; metadata: { labels?: { id: string } } };
      const id = metadata.labels?.id;
      return [key, { revision, spec, ...(id !== undefined && { id: Number(id) }) }];
    }),
  );
}

function plainModel(objects: ReadonlyMap<string, Object>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(objects);
}
