import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/system/testing/runs.js';
import type { Entry } from '../state/entry.js';
import { ResourceState } from '../state/resource-state.js';
import { buildTable, type Numbers } from './format/build.js';
import { openTables, writeTables } from './format/file.js';
import { EntriesSource, PartSource, type TableSource } from './format/source.js';
import type { Table } from './format/table.js';
import { expectHolds, type Model, named, sorted } from './testing/model.js';
import { DEFINITIONS, eachFolder, entryFor, RESOURCE, smallThing, type Thing, thingKey } from './testing/objects.js';
import { afterFlush, afterMerge } from './work/rebase.js';

const RUNS = runs(15);

/**
 * One thing that happens: writes to a clone that then takes the place of the state, or a step of a flush or a merge.
 */
type Step = readonly [
  op: 'write' | 'beginFlush' | 'endFlush' | 'beginMerge' | 'endMerge',
  all: readonly (readonly [isPut: boolean, thing: Thing])[],
  which: number,
];

const writes = fc.array(fc.tuple(fc.boolean(), smallThing), { minLength: 1, maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('write', 'write', 'write', 'beginFlush', 'endFlush', 'beginMerge', 'endMerge'),
  writes,
  fc.nat(),
);

/** Where the content is, as an installation changes it. */
type Install = (current: ResourceState) => ResourceState;

describe('a state whose objects go to tables while they change', () => {
  const folder = eachFolder();
  let files = 0;

  async function written(sources: readonly TableSource[]): Promise<readonly [Table, readonly Numbers[]]> {
    const path = join(folder(), `${files++}.tables`);
    let numbers: readonly Numbers[] = [];
    await writeTables(path, async (sink) => {
      const built = await buildTable(sink, sources);
      ({ numbers } = built);
      return { [RESOURCE]: built.layout };
    });
    return [(await openTables(path, DEFINITIONS)).tables.get(RESOURCE) as Table, numbers];
  }

  /** Writes what is in memory. */
  async function flushed(state: ResourceState): Promise<Install | undefined> {
    const entries = [...state.memory()];
    if (entries.length === 0) return undefined;
    const [table] = await written([new EntriesSource(entries)]);
    return (current) => afterFlush(current, entries, table);
  }

  /** Merges some tables that follow each other. */
  async function merged(state: ResourceState, which: number): Promise<Install | undefined> {
    const from = which % (state.parts.length + 1);
    const parts = state.parts.slice(from, from + 1 + (which % 3));
    if (parts.length === 0) return undefined;
    if (parts.every(({ size }) => size === 0)) {
      const all = parts.map((part) => ({ part, numbers: new Int32Array(0) }));
      return (current) => afterMerge(current, all, undefined);
    }
    const [table, numbers] = await written(parts.map((part) => new PartSource(part)));
    const all = parts.map((part, i) => ({ part, numbers: numbers[i] as Numbers }));
    return (current) => afterMerge(current, all, table);
  }

  interface World {
    state: ResourceState;
    model: Map<string, Entry>;
    revision: number;
    flush: Install | undefined;
    merge: Install | undefined;
  }

  function write(world: World, all: Step[1]): void {
    const state = world.state.clone();
    const model = new Map(world.model);
    for (const [isPut, thing] of all) {
      const key = thingKey(thing);
      const before = model.get(key);
      const replaced = isPut ? state.put(entryOf(world, model, thing)) : state.delete(key);
      if (!isPut) model.delete(key);
      expect(replaced && named([replaced])).to.deep.equal(before && named([before]));
    }
    Object.assign(world, { state, model });
  }

  function entryOf(world: World, model: Map<string, Entry>, thing: Thing): Entry {
    const entry = entryFor(thing, ++world.revision);
    model.set(entry.key, entry);
    return entry;
  }

  async function take(world: World, [op, all, which]: Step): Promise<void> {
    if (op === 'write') write(world, all);
    // As in a server, only one file is written at a time.
    const isBusy = world.flush !== undefined || world.merge !== undefined;
    if (op === 'beginFlush' && !isBusy) world.flush = await flushed(world.state);
    if (op === 'beginMerge' && !isBusy) world.merge = await merged(world.state, which);
    const install = op === 'endFlush' ? world.flush : op === 'endMerge' ? world.merge : undefined;
    if (install === undefined) return;
    const { version } = world.state;
    world.state = install(world.state);
    expect(world.state.version, 'the content is the same').to.equal(version);
    Object.assign(world, { flush: undefined, merge: undefined });
  }

  it('has what a plain map has after each step, and earlier states do not change', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'large' }), async (steps) => {
        const world: World = {
          ...{ state: new ResourceState(), model: new Map(), revision: 0 },
          ...{ flush: undefined, merge: undefined },
        };
        const earlier: (readonly [ResourceState, Model])[] = [];
        for (const [i, one] of steps.entries()) {
          await take(world, one);
          expectHolds(world.state, world.model, i);
          earlier.push([world.state, world.model]);
        }
        for (const [i, [state, model]] of earlier.entries()) expectHolds(state, model, i + 1);
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps no object in memory that was flushed, and all that came later', async () => {
    const things = fc.uniqueArray(smallThing, { selector: thingKey, minLength: 1 });
    await fc.assert(
      fc.asyncProperty(things, fc.array(fc.nat()), async (all, changed) => {
        const state = new ResourceState();
        for (const one of all) state.put(entryFor(one, 1));
        const install = await flushed(state);
        const current = state.clone();
        const again = new Set(changed.map((i) => all[i % all.length] as Thing));
        for (const one of again) current.put(entryFor(one, 2));
        const installed = install?.(current) as ResourceState;
        expect([installed.inMemory, installed.size, state.inMemory]).to.deep.equal([
          again.size,
          all.length,
          all.length,
        ]);
        expect(named(installed.memory())).to.deep.equal(
          named(sorted(new Map([...again].map((one) => [thingKey(one), entryFor(one, 2)])))),
        );
        const bytes = [...installed.memory()].reduce((sum, { footprint }) => sum + footprint, 0);
        expect(installed.bytes).to.equal(bytes);
      }),
      { numRuns: RUNS },
    );
  });

  it('has no table any more whose objects are all gone when it is merged', async () => {
    const state = new ResourceState();
    const one: Thing = { namespace: 'a', name: 'a', rows: [['owner', 'u']], attributes: {}, length: 1 };
    state.put(entryFor(one, 1));
    const current = ((await flushed(state)) as Install)(state).clone();
    current.delete(thingKey(one));
    expect([current.size, current.parts.length, current.hasRows('owner')]).to.deep.equal([0, 1, true]);
    const after = ((await merged(current, 0)) as Install)(current);
    expect([after.size, after.parts.length, after.hasRows('owner')]).to.deep.equal([0, 0, false]);
    expectHolds(after, new Map(), 0);
  });
});
