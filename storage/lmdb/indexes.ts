import { setImmediate as turn } from 'node:timers/promises';
import type { Transaction } from 'lmdb';
import type { IndexRow } from '../backend.js';
import { asBuffer } from '../codec.js';
import { countedOf } from '../counted.js';
import { type Key, resourceOf } from '../key.js';
import { objectsOf } from './held.js';
import { countKey, indexKey } from './objects.js';
import type { Operation } from './plan.js';
import { decodeRows } from './rows.js';
import type { Tables } from './tables.js';

/** Something in the tables of indexes that is not as the rows of the objects say, with the operation that corrects it. */
export interface Wrong {
  readonly problem: string;
  readonly operation: Operation;
}

type Options = { readonly transaction?: Transaction };

const NOTHING = Buffer.alloc(1);
const CHUNK = 1000;

export async function* indexProblems(tables: Tables, transaction: Transaction): AsyncIterable<string> {
  for await (const { problem } of wrongIndexes(tables, { transaction })) yield problem;
}

export async function* wrongIndexes(tables: Tables, options: Options = {}): AsyncGenerator<Wrong, void, undefined> {
  const counts = new Map<string, number>();
  for await (const chunk of objectsOf(tables, options.transaction)) {
    for (const { key, rows } of chunk) {
      yield* missingRows(tables, key, rows, options);
      for (const counted of countedOf(rows)) {
        const id = countKey(resourceOf(key), counted).toString();
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
  }
  yield* extraRows(tables, options);
  yield* wrongCounts(tables, counts, options);
}

function* missingRows({ index }: Tables, key: Key, rows: readonly IndexRow[], options: Options): Generator<Wrong> {
  for (const row of rows) {
    const id = indexKey(resourceOf(key), row, key);
    if (index.get(id, options) !== undefined) continue;
    yield {
      problem: `${key} is missing in the index ${row.index}`,
      operation: { table: 'index', key: id, value: NOTHING },
    };
  }
}

/** A row is `<resource> NUL <index> NUL <tuple> space <key>`. */
async function* extraRows({ index, rows, objects }: Tables, options: Options): AsyncGenerator<Wrong, void, undefined> {
  let seen = 0;
  for (const id of index.getKeys({ ...options })) {
    const text = asBuffer(id).toString();
    const space = text.indexOf(' ', text.indexOf('\0', text.indexOf('\0') + 1));
    const key = Buffer.from(text.slice(space + 1));
    const own = objects.get(key, options) === undefined ? [] : decodeRows(rows.get(key, options));
    const isNamed = own.some((row) =>
      indexKey(resourceOf(text.slice(space + 1) as Key), row, text.slice(space + 1) as Key).equals(id),
    );
    if (!isNamed) {
      const name = text.split('\0')[1];
      yield {
        problem: `the index ${name} has a row of ${text.slice(space + 1)} that it does not have`,
        operation: { table: 'index', key: id },
      };
    }
    if (++seen % CHUNK === 0) await turn();
  }
}

function* wrongCounts(tables: Tables, wanted: ReadonlyMap<string, number>, options: Options): Generator<Wrong> {
  const left = new Map(wanted);
  const wrong = (id: string, found: number, right: number | undefined): Wrong => ({
    problem: `the count of ${id.replaceAll('\0', ' ')} is ${found}, not ${right ?? 0}`,
    operation: { table: 'counts', key: Buffer.from(id), ...(right !== undefined && { value: right }) },
  });
  for (const { key, value } of tables.counts.getRange({ ...options })) {
    const id = asBuffer(key).toString();
    const right = left.get(id);
    left.delete(id);
    if (Number(value) !== right) yield wrong(id, Number(value), right);
  }
  for (const [id, right] of left) yield wrong(id, 0, right);
}
