import { open, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { BitSet } from '../../pkg/system/collections/bit-set.js';
import { MappedFile } from '../../pkg/system/files/mapped-file.js';
import { runs } from '../../pkg/system/testing/runs.js';
import { DamageError } from '../damage.js';
import type { Key } from '../key.js';
import type { Entry } from '../state/entry.js';
import { ResourceState } from '../state/resource-state.js';
import { buildTable } from './format/build.js';
import { Checksums } from './format/checksums.js';
import { openTables, writeTables } from './format/file.js';
import { EntriesSource, PartSource, type TableSource } from './format/source.js';
import type { Table } from './format/table.js';
import { TableView } from './format/table-view.js';
import { expectHolds, type Model, plain, sorted } from './testing/model.js';
import { DEFINITIONS, eachFolder, entryFor, RESOURCE, type Thing, thing, thingKey } from './testing/objects.js';

const RUNS = runs(15);
/** Larger than what is written at once. */
const HUGE = 1_200_000;
const things = fc.uniqueArray(thing, { selector: thingKey, minLength: 1, maxLength: 60 });

function modelOf(all: readonly Thing[], revision = 1): Map<string, Entry> {
  return new Map(all.map((one, i) => [thingKey(one), entryFor(one, revision + i)]));
}

describe('tables', () => {
  const folder = eachFolder();
  let files = 0;

  async function tableOf(...sources: readonly TableSource[]): Promise<Table> {
    const path = join(folder(), `${files++}.tables`);
    await writeTables(path, async (sink) => ({ [RESOURCE]: (await buildTable(sink, sources)).layout }));
    return (await openTables(path, DEFINITIONS)).tables.get(RESOURCE) as Table;
  }

  const written = (model: Model): Promise<Table> => tableOf(new EntriesSource(sorted(model)));
  const stateOf = (...parts: readonly TableView[]): Promise<ResourceState> => ResourceState.filled({ parts, rest: [] });

  /** Takes objects out of a part, and out of the model. */
  function without(part: TableView, model: Map<string, Entry>, isGone: (i: number) => boolean): TableView {
    const gone = new BitSet();
    for (const [i, { key }] of sorted(model).entries()) {
      if (!isGone(i)) continue;
      gone.add(part.table.find(key));
      model.delete(key);
    }
    return new TableView(part.table, gone);
  }

  it('have the objects that were written: their keys, revisions, bytes, attributes and rows', async () => {
    await fc.assert(
      fc.asyncProperty(things, fc.nat(), async (all, seed) => {
        const model = modelOf(all);
        const state = await stateOf(new TableView(await written(model)));
        expect([...state.entries('', '~')].map(plain)).to.deep.equal(sorted(model).map(plain));
        for (const { key } of model.values())
          expect(plain(state.get(key) as Entry)).to.deep.equal(plain(model.get(key) as Entry));
        expectHolds(state, model, seed % 1000);
      }),
      { numRuns: RUNS },
    );
  });

  it('have an object that is larger than what is written at once, and those beside it', async () => {
    const at = (name: string, length: number): Thing => ({ namespace: 'a', name, rows: [], attributes: {}, length });
    const model = modelOf([
      at('a', 10),
      at('b', HUGE),
      at('c', 1),
      at('d', HUGE),
      at('e', 3_000_000),
      at('f', 200_000),
    ]);
    const state = await stateOf(new TableView(await written(model)));
    expect([...state.entries('', '~')].map(plain)).to.deep.equal(sorted(model).map(plain));
  });

  it('have the bytes of objects that follow each other in one piece, the same as copies with commas', async () => {
    await fc.assert(
      fc.asyncProperty(things, fc.nat(), fc.nat(), async (all, from, length) => {
        const model = modelOf(all);
        const state = await stateOf(new TableView(await written(model)));
        const entries = [...state.entries('', '~')];
        const first = from % entries.length;
        let last = first;
        while (last < first + length && last + 1 < entries.length) {
          if (!(entries[last] as Entry).precedes(entries[last + 1] as Entry)) break;
          last++;
        }
        const copied = entries.slice(first, last + 1).map(({ value }) => Buffer.from(value).toString('latin1'));
        const through = (withComma: boolean): string | undefined =>
          entries[first]?.through(entries[last] as Entry, withComma)?.toString('latin1');
        expect(through(false)).to.equal(copied.join(','));
        expect(through(true)).to.equal(`${copied.join(',')},`);
      }),
      { numRuns: RUNS },
    );
  });

  it('give most objects that follow each other as such, and no others', async () => {
    const all = Array.from({ length: 300 }, (_, i): Thing => {
      return { namespace: 'a', name: `n${1000 + i}`, rows: [], attributes: {}, length: i };
    });
    const part = new TableView(await written(modelOf(all)));
    const entries = [...(await stateOf(part)).entries('', '~')];
    expect(entries.filter((entry, i) => i > 0 && entries[i - 1]?.precedes(entry))).to.have.length(299);
    const other = [...(await stateOf(new TableView(await written(modelOf(all))))).entries('', '~')];
    const [first, second, third] = entries as [Entry, Entry, Entry];
    for (const [one, next] of [
      [first, third],
      [second, first],
      [first, first],
      [first, other[1] as Entry],
      [first, entryFor(all[1] as Thing, 1)],
    ] as const)
      expect(one.precedes(next)).to.equal(false);
    expect(first.through(entryFor(all[1] as Thing, 1), false)).to.equal(undefined);
  });

  it('do not have the objects of a part that are gone', async () => {
    const modulus = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(things, modulus, fc.nat(), async (all, step, seed) => {
        const model = modelOf(all);
        const part = new TableView(await written(model));
        const state = await stateOf(without(part, model, (i) => i % step === 0));
        expectHolds(state, model, seed % 1000);
      }),
      { numRuns: RUNS },
    );
  });

  it('that are merged have what the parts had, without what was gone', async () => {
    const modulus = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(things, modulus), { minLength: 1, maxLength: 5 }), async (groups) => {
        const [parts, model]: [TableView[], Map<string, Entry>] = [[], new Map()];
        for (const [i, [all, step]] of groups.entries()) {
          const own = modelOf(
            all.filter((one) => !model.has(thingKey(one))),
            1000 * i,
          );
          if (own.size === 0) continue;
          // With 6, nothing is gone; with 1, everything is.
          parts.push(without(new TableView(await written(own)), own, (at) => step < 6 && at % step === 0));
          for (const [key, entry] of own) model.set(key, entry);
        }
        expectHolds(await stateOf(...parts), model, groups.length);
        if (model.size === 0) return;
        const merged = await stateOf(new TableView(await tableOf(...parts.map((part) => new PartSource(part)))));
        expectHolds(merged, model, groups.length);
        expect([...merged.entries('', '~')].map(plain)).to.deep.equal(sorted(model).map(plain));
      }),
      { numRuns: RUNS },
    );
  });

  it('are read as a whole, wherever what an index leads to lies, in both directions', async () => {
    const count = 300;
    const numbers = Array.from({ length: count }, (_, i) => (i * 7919) % count);
    const model = modelOf(
      numbers.map((number, i) => {
        return { namespace: 'a', name: `n${1000 + i}`, rows: [['number', number]], attributes: {}, length: 5000 };
      }),
    );
    const byNumber = [...model.values()].map((_, number) => sorted(model)[numbers.indexOf(number)] as Entry);
    const range = { index: 'number', from: '', to: '\uffff' };
    for (const isReverse of [false, true]) {
      const state = await stateOf(new TableView(await written(model)));
      const found = [...state.rows({ ...range, reverse: isReverse })].map(({ entry }) => plain(entry));
      expect(found).to.deep.equal((isReverse ? byNumber.toReversed() : byNumber).map(plain));
    }
    const state = await stateOf(new TableView(await written(model)));
    expect(state.list('number', '').map(plain)).to.deep.equal(byNumber.map(plain));
  });

  it('check their columns again when these were read from the disk again, and from then on say what is damaged', async () => {
    const path = join(folder(), `${files++}.tables`);
    const sources = [
      new EntriesSource(sorted(modelOf([{ namespace: 'a', name: 'b', rows: [], attributes: {}, length: 1 }]))),
    ];
    await writeTables(path, async (sink) => ({ [RESOURCE]: (await buildTable(sink, sources)).layout }));
    await utimes(path, 1, 1);
    const damage: unknown[] = [];
    const table = (await openTables(path, DEFINITIONS, (error) => damage.push(error))).tables.get(RESOURCE) as Table;
    const { ensure } = MappedFile.prototype;
    MappedFile.prototype.ensure = async (...range) => [range];
    try {
      await table.residence.whenResident(1000);
      expect([damage, table.key(0)]).to.deep.equal([[], `${RESOURCE}/a/b`]);
      // As a disk does that gives other bytes: the time of the last change stays.
      const bytes = await readFile(path);
      const file = await open(path, 'r+');
      await file.write('x', bytes.indexOf('a/b') + 2);
      await file.close();
      await utimes(path, 1, 1);
      expect(table.key(0), 'before').to.equal(`${RESOURCE}/a/x`);
      await table.residence.whenResident(1001);
    } finally {
      MappedFile.prototype.ensure = ensure;
    }
    expect(damage).to.have.length(1);
    expect(() => table.key(0)).to.throw(DamageError);
  });

  it('are not used unchecked while the check of columns that were read again is under way', async () => {
    const path = join(folder(), `${files++}.tables`);
    const sources = [
      new EntriesSource(sorted(modelOf([{ namespace: 'a', name: 'b', rows: [], attributes: {}, length: 1 }]))),
    ];
    await writeTables(path, async (sink) => ({ [RESOURCE]: (await buildTable(sink, sources)).layout }));
    await utimes(path, 1, 1);
    const table = (await openTables(path, DEFINITIONS)).tables.get(RESOURCE) as Table;
    expect(table.find(`${RESOURCE}/a/b` as Key)).to.equal(0);
    const bytes = await readFile(path);
    const file = await open(path, 'r+');
    await file.write('x', bytes.indexOf('a/b') + 2);
    await file.close();
    await utimes(path, 1, 1);
    const { ensure } = MappedFile.prototype;
    const { checkAll } = Checksums.prototype;
    MappedFile.prototype.ensure = async (...range) => [range];
    Checksums.prototype.checkAll = () => new Promise(() => undefined);
    try {
      void table.residence.whenResident(1000);
      await new Promise(setImmediate);
      expect(() => table.find(`${RESOURCE}/a/b` as Key)).to.throw(DamageError);
    } finally {
      MappedFile.prototype.ensure = ensure;
      Checksums.prototype.checkAll = checkAll;
    }
  });

  it('find none of many keys that are not there, and all that are', async () => {
    const at = (i: number): Thing => ({ namespace: 'a', name: `n${i}`, rows: [], attributes: {}, length: 0 });
    const table = await written(modelOf(Array.from({ length: 5000 }, (_, i) => at(2 * i))));
    for (let i = 0; i < 10_000; i++) {
      const key = thingKey(at(i));
      const found = table.find(key);
      if (i % 2 === 1) expect(found, key).to.equal(-1);
      else expect(table.key(found)).to.equal(key);
    }
  });
});
