import type { KubeObject, ObjectMeta } from '../../lib/object.js';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** More than 0: is shown on request. */
  readonly priority: number;
}

/** What a cell shows. Times are milliseconds since the epoch, in columns of dates. */
export type Cell = string | number | boolean | null | undefined;

/** A row, with what the page needs of its object: a hundred thousand of them must fit. */
export interface Row extends KubeObject<unknown> {
  /** The namespace and the name. */
  readonly key: string;
  readonly cells: readonly Cell[];
  /** When a watch told of it. Absent for rows of a list. */
  readonly told?: number;
}

interface Table {
  readonly columnDefinitions: readonly Column[];
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly object: { readonly metadata: ObjectMeta } }[];
}

export const AS_TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const UNITS: Readonly<Record<string, number>> = { y: 31_536_000, d: 86_400, h: 3600, m: 60, s: 1 };

/** The time of an age such as `3d4h`, or the text if it is none. */
export function timeOf(age: Cell, now: number): Cell {
  if (typeof age !== 'string' || !/^(\d+[ydhms])+$/.test(age)) return age === '<unknown>' ? undefined : age;
  const parts = [...age.matchAll(/(\d+)([ydhms])/g)];
  return now - 1000 * parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** Reads tables. The columns are those of the first table that has some. */
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

/** The rows that have the text in one of their cells, in order. Without an order, they are in that of the server. */
export function arranged(rows: Iterable<Row>, text: string, order: Order | undefined): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [...rows] : [...rows].filter((row) => hasAll(row, words));
  if (order === undefined) return found.sort(byKey);
  const sign = order.isDescending ? -1 : 1;
  return found.sort((a, b) => sign * compare(a.cells[order.column], b.cells[order.column]) || byKey(a, b));
}

function hasAll({ cells, metadata }: Row, words: readonly string[]): boolean {
  const text =
    `${metadata.namespace ?? ''} ${cells.filter((cell) => typeof cell !== 'number').join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word) || cells.some((cell) => String(cell) === word));
}

function byKey({ key: a }: Row, { key: b }: Row): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Numbers come by size, texts as people order them, and what is empty comes last. */
function compare(a: Cell, b: Cell): number {
  const [noA, noB] = [a === undefined || a === null || a === '', b === undefined || b === null || b === ''];
  if (noA || noB) return Number(noA) - Number(noB);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}
