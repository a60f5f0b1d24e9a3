import { Yielder } from '../../../pkg/system/yielding/yielding.js';
import { TableBuilder } from './builder.js';
import type { TableLayout } from './layout.js';
import type { Sink } from './sink.js';
import type { TableSource, TupleRows } from './source.js';

/** The numbers that the objects of a source have in the new table. -1: not there. */
export type Numbers = Int32Array;

interface Built {
  readonly layout: TableLayout;
  /** For each source, the numbers that its objects have in the table, or -1. */
  readonly numbers: readonly Numbers[];
}

/**
 * Writes the objects of all sources as one table. No two sources have the same object. The event loop takes its turns
 * meanwhile.
 */
export async function buildTable(sink: Sink, sources: readonly TableSource[]): Promise<Built> {
  const builder = new TableBuilder(sink);
  const numbers = await addObjects(sink, builder, sources);
  const indexes = new Set(sources.flatMap((source) => [...source.indexes]));
  for (const index of indexes) await builder.addIndex(index, await rowsOf(index, sources, numbers));
  return { layout: await builder.finish(), numbers };
}

/** A source, and its next object. */
interface Head {
  readonly source: TableSource;
  readonly numbers: Numbers;
  at: number;
  key: string;
}

async function addObjects(
  sink: Sink,
  builder: TableBuilder,
  sources: readonly TableSource[],
): Promise<readonly Numbers[]> {
  const yielder = new Yielder();
  const heads = sources.map((source): Head => {
    const at = source.next(0);
    const key = at < source.length ? source.key(at) : '';
    return { source, numbers: new Int32Array(source.length).fill(-1), at, key };
  });
  for (let [head, before] = ahead(heads); head !== undefined; [head, before] = ahead(heads)) {
    // Often many objects of one source come before the next one of the others.
    do {
      head.numbers[head.at] = builder.count;
      head.source.add(head.at, builder);
      goOn(head);
      if (sink.isFull) await sink.drain();
      if (yielder.isDue) await yielder.yield();
    } while (head.at < head.source.length && (before === undefined || head.key < before));
  }
  return heads.map(({ numbers }) => numbers);
}

function goOn(head: Head): void {
  head.at = head.source.next(head.at + 1);
  if (head.at < head.source.length) head.key = head.source.key(head.at);
}

/** The source with the first key of all, and the first key of the others. */
function ahead(heads: readonly Head[]): readonly [Head | undefined, string | undefined] {
  let first: Head | undefined;
  let before: string | undefined;
  for (const head of heads) {
    if (head.at >= head.source.length) continue;
    if (first === undefined || head.key < first.key) [first, before] = [head, first?.key];
    else if (before === undefined || head.key < before) before = head.key;
  }
  return [first, before];
}

type Stream = readonly [rows: Iterator<TupleRows, undefined>, numbers: Numbers];

async function rowsOf(
  index: string,
  sources: readonly TableSource[],
  numbers: readonly Numbers[],
): Promise<Iterable<readonly [string, readonly number[]]>> {
  const streams: Stream[] = [];
  for (const [i, source] of sources.entries()) streams.push([await source.rows(index), numbers[i] as Numbers]);
  return mergedRows(streams);
}

/** The tuples of all sources, with the numbers of their objects in the new table. */
function* mergedRows(streams: readonly Stream[]): Generator<readonly [string, readonly number[]], void, undefined> {
  const heads = streams.map(([rows]) => rows.next().value);
  for (;;) {
    let tuple: string | undefined;
    for (const head of heads) if (head !== undefined && (tuple === undefined || head[0] < tuple)) tuple = head[0];
    if (tuple === undefined) return;
    let objects: readonly number[] = [];
    for (const [i, [rows, numbers]] of streams.entries()) {
      const head = heads[i];
      if (head === undefined || head[0] !== tuple) continue;
      objects = merged(objects, newNumbers(head[1], numbers));
      heads[i] = rows.next().value;
    }
    if (objects.length > 0) yield [tuple, objects];
  }
}

function newNumbers(objects: ArrayLike<number>, numbers: Numbers): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < objects.length; i++) {
    const number = numbers[objects[i] as number] as number;
    if (number >= 0) found.push(number);
  }
  return found;
}

/** All numbers of both, which are in order. */
function merged(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const all: number[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length)
    all.push((a[i] as number) < (b[j] as number) ? (a[i++] as number) : (b[j++] as number));
  while (i < a.length) all.push(a[i++] as number);
  while (j < b.length) all.push(b[j++] as number);
  return all;
}
