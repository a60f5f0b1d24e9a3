import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import { keyOf } from '../key.js';
import { TableFolder } from '../tables/folder/folder.js';
import { buildTable } from '../tables/format/build.js';
import { EntriesSource } from '../tables/format/source.js';
import { afterFlush } from '../tables/work/rebase.js';
import { encodeText } from './codec.js';
import { Definitions } from './definitions.js';
import { entryOf } from './entry.js';
import type { ResourceDefinition } from './resource.js';
import { ResourceState } from './resource-state.js';
import { encodeTuple, firstElements, rowKey, type Tuple } from './tuple.js';

const RESOURCE = 'notes.test';
const INDEX = 'byTag';

interface Note {
  readonly tags: readonly Tuple[];
}

const DEFINITION: ResourceDefinition = {
  resource: RESOURCE,
  extract: () => ({ labels: undefined, fields: undefined }),
  rows: (object) => (object as Note).tags.map((tag) => ({ index: INDEX, tuple: encodeTuple(tag) })),
};

const tag = fc.tuple(fc.constantFrom('a', 'b', 'ab'), fc.integer({ min: 0, max: 3 }));
/** `flush`: what is in memory becomes a table. */
const step = fc.oneof(
  fc.record({ put: fc.integer({ min: 0, max: 9 }), tags: fc.array(tag, { maxLength: 3 }) }),
  fc.record({ remove: fc.integer({ min: 0, max: 9 }) }),
  fc.constant('flush' as const),
);
const bound = fc.oneof(
  fc.tuple(tag, fc.integer({ min: 0, max: 9 })).map(([of, name]) => rowKey(encodeTuple(of), keyAt(name))),
  tag.map(encodeTuple),
  fc.constantFrom('', '~'),
);

function keyAt(name: number) {
  return keyOf(RESOURCE, 'default', String(name));
}

/** The objects of the state, and what a list of all rows gives. */
class Model {
  readonly notes = new Map<string, readonly Tuple[]>();

  get rows(): readonly string[] {
    const rows = [...this.notes].flatMap(([name, tags]) => tags.map((one) => rowKey(encodeTuple(one), keyAt(+name))));
    return [...new Set(rows)].sort();
  }

  counts(prefix: string, length: number): readonly unknown[] {
    const counts = new Map<string, number>();
    for (const row of this.rows) {
      const tuple = row.slice(0, row.indexOf(' '));
      if (!tuple.startsWith(prefix)) continue;
      const first = firstElements(tuple, length);
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    return [...counts].sort().map(([tuple, count]) => ({ tuple, count }));
  }
}

describe('the rows and counts of a resource, in memory and in tables', () => {
  let path = '';
  let folder: TableFolder;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'rows.'));
    folder = await TableFolder.open({ path, program: 'test', inMemory: () => false }, new Definitions([DEFINITION]));
  });
  afterEach(async () => {
    await folder.close();
    await rm(path, { recursive: true });
  });

  async function flushed(state: ResourceState): Promise<ResourceState> {
    const entries = [...state.memory()];
    if (entries.length === 0) return state;
    const source = new EntriesSource(entries);
    const { tables } = await folder.write(async (sink) => ({ [RESOURCE]: (await buildTable(sink, [source])).layout }));
    const table = tables.get(RESOURCE);
    return table === undefined ? state : afterFlush(state, entries, table);
  }

  it('are those of a model', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), bound, bound, fc.boolean(), async (steps, a, b, reverse) => {
        const model = new Model();
        let state = new ResourceState();
        for (const [i, one] of steps.entries()) {
          if (one === 'flush') state = await flushed(state);
          else if ('put' in one) {
            model.notes.set(String(one.put), one.tags);
            const value = encodeText(canonicalJson({ metadata: { name: 'x' }, tags: one.tags }), i + 1);
            state.put(entryOf(DEFINITION, keyAt(one.put), i + 1, value));
          } else {
            model.notes.delete(String(one.remove));
            state.delete(keyAt(one.remove));
          }
        }
        const rows = model.rows.filter((row) => row >= a && row < b);
        const found = [...state.rows({ index: INDEX, from: a, to: b, reverse })];
        expect(found.map((one) => one.rowKey)).to.deep.equal(reverse ? rows.toReversed() : rows);
        for (const { rowKey: row, entry } of found) expect(row.endsWith(` ${entry.key}`)).to.equal(true);
        const prefix = encodeTuple(['a']);
        for (const length of [1, 2]) {
          expect([...state.counts(INDEX, '', length)]).to.deep.equal(model.counts('', length));
          expect([...state.counts(INDEX, prefix, length)]).to.deep.equal(model.counts(prefix, length));
        }
        expect([...state.counts(INDEX, '')]).to.deep.equal(model.counts('', 2));
      }),
      { numRuns: 150 },
    ));

  it('of an index that nobody has are none', () => {
    const state = new ResourceState();
    expect([...state.rows({ index: 'none', from: '', to: '~' })]).to.deep.equal([]);
    expect([...state.counts('none', '')]).to.deep.equal([]);
  });
});
