import type { KubeObject, ListMeta } from '../../pkg/kube/meta/types.js';
import type { Column } from '../kinds/kind.js';
import { ageOf } from './age.js';
import type { IncludeObject } from './negotiate.js';
import { type MetaVersion, type PartialObject, type PartialObjectMetadata, partialMetadataOf } from './partial.js';

export type Cell = string | number | bigint | boolean | null;

interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

interface TableRow {
  /** One cell for each column definition. */
  readonly cells: readonly Cell[];
  /** Absent with `includeObject=None`. */
  readonly object?: PartialObjectMetadata | PartialObject;
}

/** The meta.k8s.io Table that `kubectl get` prints. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly ColumnDefinition[];
  readonly rows: readonly TableRow[];
}

export interface TableOptions {
  readonly includeObject: IncludeObject;
  readonly version: MetaVersion;
  /** Ages are counted until this time. */
  readonly now: Date;
  /** Leaves out the column definitions. In a watch, only the first event has them. */
  readonly noHeaders?: boolean;
}

/** The part of a kind that describes its tables. */
export interface Tabular {
  readonly columns?: readonly Column[];
  readonly hasOwnAge?: boolean;
}

const NAME: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among its kind in its namespace.',
  priority: 0,
};

const AGE: ColumnDefinition = {
  name: 'Age',
  type: 'date',
  format: '',
  description: 'How long ago the object was created.',
  priority: 0,
};

export function columnDefinitions(kind: Tabular): readonly ColumnDefinition[] {
  const declared = (kind.columns ?? []).map(({ name, type, format = '', description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
  return kind.hasOwnAge === true ? [NAME, ...declared] : [NAME, ...declared, AGE];
}

/** A table with a row for each object. `metadata` is the metadata of the list. */
export function tableOf(
  kind: Tabular,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  options: TableOptions,
): Table {
  return assemble(
    kind,
    objects.map((object) => tableRow(kind, object, options)),
    metadata,
    options,
  );
}

/** The row of an object. */
export function tableRow(kind: Tabular, object: KubeObject, options: TableOptions): TableRow {
  return rowOf(object, cellsOf(kind, object, options.now), options);
}

/** The table of one object, for GET and for an event of a watch. */
export function objectTable(kind: Tabular, object: KubeObject, options: TableOptions): Table {
  return tableOf(kind, [object], revisionOf(object), options);
}

/**
 * The table of a bookmark has one row without a name. Clients read the revision and the annotations from the object of
 * the row.
 */
export function bookmarkTable(kind: Tabular, bookmark: PartialObject, options: TableOptions): Table {
  const declared = (kind.columns ?? []).map(() => null);
  const cells: Cell[] = ['', ...declared, ...(kind.hasOwnAge === true ? [] : [ageOf(undefined, options.now)])];
  return assemble(kind, [rowOf(bookmark, cells, options)], revisionOf(bookmark), options);
}

function assemble(kind: Tabular, rows: readonly TableRow[], metadata: ListMeta, options: TableOptions): Table {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.noHeaders === true ? [] : columnDefinitions(kind),
    rows,
  };
}

function cellsOf(kind: Tabular, object: KubeObject, now: Date): readonly Cell[] {
  const declared = (kind.columns ?? []).map((column) => cellOf(column, object, now));
  const age = kind.hasOwnAge === true ? [] : [ageOf(object.metadata.creationTimestamp, now)];
  return [object.metadata.name, ...declared, ...age];
}

function cellOf(column: Column, object: KubeObject, now: Date): Cell {
  const value = column.cell(object, now);
  if (column.type !== 'date' || column.isPrinted === true) return value;
  return ageOf(typeof value === 'string' && value !== '' ? value : undefined, now);
}

function rowOf(object: PartialObject, cells: readonly Cell[], options: TableOptions): TableRow {
  if (options.includeObject === 'None') return { cells };
  return { cells, object: options.includeObject === 'Object' ? object : partialMetadataOf(object, options.version) };
}

function revisionOf(object: PartialObject): ListMeta {
  const { resourceVersion } = object.metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}
