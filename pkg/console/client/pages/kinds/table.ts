import { compareNumbers, isNumber } from '../../../../kube/json/exact.js';
import type { KubeObject, ObjectMeta } from '../../lib/object.js';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** Columns with more than 0 are shown on request. */
  readonly priority: number;
}

/** The value of a cell. In columns of dates, milliseconds since the epoch. */
export type Cell = string | number | bigint | boolean | null | undefined;

/** A row, with only the metadata that the page needs, because a hundred thousand rows must fit in memory. */
export interface Row extends KubeObject<unknown> {
  /** The namespace and the name. */
  readonly key: string;
  readonly cells: readonly Cell[];
  /** When a watch reported it, in milliseconds. Absent for rows of a list. */
  readonly told?: number;
}

interface Table {
  readonly columnDefinitions: readonly Column[];
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly object: { readonly metadata: ObjectMeta } }[];
}

const UNITS: Readonly<Record<string, number>> = { y: 31_536_000, d: 86_400, h: 3600, m: 60, s: 1 };

/** The time of an age such as `3d4h`, undefined for `<unknown>`, and any other cell unchanged. */
export function timeOf(age: Cell, now: number): Cell {
  if (typeof age !== 'string' || !/^(\d+[ydhms])+$/.test(age)) return age === '<unknown>' ? undefined : age;
  const parts = [...age.matchAll(/(\d+)([ydhms])/g)];
  return now - 1000 * parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** Reads tables. Pages and events may have no columns: then those of an earlier table count. */
export function tableReader(onColumns: (columns: readonly Column[]) => void) {
  let columns: readonly Column[] = [];
  return (body: unknown, isNews: boolean): readonly Row[] => {
    const { columnDefinitions, rows } = body as Table;
    if (columnDefinitions.length > 0) {
      columns = columnDefinitions;
      if (!isNews) onColumns(columns);
    }
    const now = Date.now();
    return rows.map(({ cells, object: { metadata } }) => ({
      metadata: metadataOf(metadata),
      key: `${metadata.namespace ?? ''}/${metadata.name}`,
      cells: cells.map((cell, index) => cellOf(cell, columns[index], metadata, now)),
      ...(isNews && { told: now }),
    }));
  };
}

function cellOf(cell: Cell, column: Column | undefined, { creationTimestamp }: ObjectMeta, now: number): Cell {
  if (column?.type !== 'date') return cell;
  if (column.name === 'Age' && creationTimestamp !== undefined) return Date.parse(creationTimestamp);
  return timeOf(cell, now);
}

function metadataOf({ name, namespace, uid, resourceVersion, deletionTimestamp }: ObjectMeta): ObjectMeta {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  };
}

export interface Order {
  readonly column: number;
  readonly isDescending: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** The rows that contain all words of the text, in order. Without an order, they are sorted by namespace and name. */
export function arranged(
  rows: Iterable<Row>,
  text: string,
  order: Order | undefined,
  shown: (row: Row, at: number) => Cell = ({ cells }, at) => cells[at],
): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [...rows] : [...rows].filter((row) => hasAll(row, words, shown));
  if (order === undefined) return found.sort(byKey);
  const sign = order.isDescending ? -1 : 1;
  const keys = new Map(found.map((row) => [row, shown(row, order.column)]));
  return found.sort((a, b) => sign * compare(keys.get(a), keys.get(b)) || byKey(a, b));
}

/** A name that the server has made. People look for it as a whole, and not for letters that happen to be in it. */
const MADE = /^[0-9][0-9a-z]{19,}$/;

function hasAll(row: Row, words: readonly string[], shown: (row: Row, at: number) => Cell): boolean {
  const { cells, metadata } = row;
  const texts = cells
    .map((_, at) => shown(row, at))
    .filter((cell) => typeof cell !== 'number' && !MADE.test(String(cell)));
  const text = `${metadata.namespace ?? ''} ${texts.join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word) || cells.some((cell) => isNamed(String(cell), word)));
}

/** Whether a cell is this word, or a reference such as `User/01m8…` to what it names. */
const isNamed = (cell: string, word: string): boolean => cell.toLowerCase() === word || cell.endsWith(`/${word}`);

function byKey({ key: a }: Row, { key: b }: Row): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Numbers by value, texts in the order of the language, and empty cells last. */
function compare(a: Cell, b: Cell): number {
  const [noA, noB] = [a === undefined || a === null || a === '', b === undefined || b === null || b === ''];
  if (noA || noB) return Number(noA) - Number(noB);
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  return collator.compare(String(a), String(b));
}
