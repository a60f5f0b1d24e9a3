import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { isNumber } from '../../../../kube/json/exact.js';
import { places } from '../../app/places.js';
import type { Resource } from '../../lib/discovery.js';
import { keyOf } from '../../lib/object.js';
import { isTitle } from '../../lib/table-titles.js';
import { Time } from '../../ui/time.js';
import { VirtualRows } from '../../ui/virtual-rows.js';
import { FolderPathTitle } from '../folders/folder-path-title.js';
import { BindingCell, referenceIn } from './binding-cell.js';
import { folderIn } from './shown-cells.js';
import type { Cell, Column, Order, Row } from './table.js';

const HEIGHT = 36;
/**
 * Milliseconds for which changed rows are marked, characters of a cell that are drawn, and rows by which Page Up and
 * Page Down move.
 */
const [NEW_FOR, LONGEST, PAGE] = [2000, 300, 15];

/** The roles of the parts. They are not elements of a table, because only a part of the rows is drawn. */
const [ROWS, CELL] = [{ role: 'rowgroup' }, { role: 'gridcell' }] as const;
const rowAs = (number: number) => ({ role: 'row', 'aria-rowindex': number }) as const;
const headAs = (sort?: 'none' | 'ascending' | 'descending') => ({ role: 'columnheader', 'aria-sort': sort }) as const;

export interface Shown {
  readonly column: Column;
  /** The index of its cells in a row. */
  readonly at: number;
}

interface Props {
  readonly resource: Resource;
  readonly rows: readonly Row[];
  readonly columns: readonly Shown[];
  readonly hasNamespaces: boolean;
  /** The number of all rows, including those that are not loaded. */
  readonly total: number;
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelected: (selected: ReadonlySet<string>) => void;
  readonly onEnd?: (() => void) | undefined;
}

/** The table of a kind. Arrow keys go from row to row, Enter opens one, Space selects it (WAI-ARIA, grid). */
export function KindGrid(props: Props) {
  const { resource, rows, columns, hasNamespaces, total, selected, onSelected } = props;
  const [, go] = useLocation();
  const [active, setActive] = useState(-1);
  const toggle = (row: Row): void => onSelected(toggled(selected, keyOf(row)));
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const row = rows[active];
    const to = stepOf(event.key, active, rows.length);
    if (to !== undefined) setActive(to);
    else if (event.key === 'Enter' && row !== undefined) go(placeOf(resource, row));
    else if (event.key === ' ' && row !== undefined) toggle(row);
    else return;
    event.preventDefault();
  };
  const hasTitles = columns.some(({ column }) => isTitle(column));
  const template = `40px ${columns.map(({ column }) => widthOf(column, hasTitles)).join(' ')}${hasNamespaces ? ' minmax(120px, 1fr)' : ''}`;
  const line = { gridTemplateColumns: template, height: `${HEIGHT}px` };
  return (
    <VirtualRows
      rows={rows}
      height={HEIGHT}
      class="kind-grid"
      role="grid"
      label={`Objects of ${resource.kind}`}
      onEnd={props.onEnd}
      shown={active}
      headHeight={HEIGHT}
      head={<Head {...props} line={line} />}
      attributes={{
        'aria-rowcount': total + 1,
        'aria-colcount': columns.length + (hasNamespaces ? 2 : 1),
        'aria-multiselectable': true,
        onKeyDown: onKey,
        ...(rows[active] !== undefined && { 'aria-activedescendant': `kind-row-${active}` }),
      }}
      render={(row, index) => (
        <Line
          key={keyOf(row)}
          {...{ resource, row, index, columns, hasNamespaces, line }}
          isActive={index === active}
          isSelected={selected.has(keyOf(row))}
          onToggle={() => {
            setActive(index);
            toggle(row);
          }}
        />
      )}
    />
  );
}

function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const changed = new Set(selected);
  if (!changed.delete(key)) changed.add(key);
  return changed;
}

function stepOf(key: string, at: number, length: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
    Home: 0,
    End: length - 1,
  };
  const to = steps[key];
  return to === undefined ? undefined : Math.max(0, Math.min(length - 1, to));
}

function placeOf(resource: Resource, { metadata: { namespace, name } }: Row): string {
  return places.object(resource, namespace, name);
}

/** Widths depend on the columns alone, so that nothing moves when rows come. */
function widthOf(column: Column, hasTitles: boolean): string {
  const { name, type, format } = column;
  if (isTitle(column)) return 'minmax(200px, 2.4fr)';
  // Beside titles, people seldom read names.
  if (format === 'name') return hasTitles ? 'minmax(150px, 1fr)' : 'minmax(200px, 2fr)';
  if (name === 'Folder' || name === 'Parent') return 'minmax(160px, 1.8fr)';
  if (type === 'date') return '140px';
  return type === 'string' ? 'minmax(130px, 1.5fr)' : '110px';
}

interface Line {
  readonly line: { readonly gridTemplateColumns: string; readonly height: string };
}

function Head({ rows, columns, hasNamespaces, order, onOrder, selected, onSelected, line }: Props & Line) {
  const isAll = rows.length > 0 && selected.size >= rows.length && rows.every((row) => selected.has(keyOf(row)));
  return (
    <div {...ROWS} class="kind-head">
      <div {...rowAs(1)} class="kind-line" style={line}>
        <span {...headAs()} class="kind-check">
          <input
            type="checkbox"
            aria-label="Select all rows that are loaded"
            checked={isAll}
            indeterminate={!isAll && selected.size > 0}
            onChange={() => onSelected(isAll ? new Set() : new Set(rows.map(keyOf)))}
          />
        </span>
        {columns.map(({ column, at }) => (
          <ColumnHead key={at} column={column} at={at} order={order} onOrder={onOrder} />
        ))}
        {hasNamespaces && (
          <span {...headAs()} class="kind-cell">
            Organization
          </span>
        )}
      </div>
    </div>
  );
}

function ColumnHead({ column, at, order, onOrder }: Shown & Pick<Props, 'order' | 'onOrder'>) {
  const own = order?.column === at ? order : undefined;
  const next =
    own === undefined
      ? { column: at, isDescending: false }
      : own.isDescending
        ? undefined
        : { column: at, isDescending: true };
  const direction = own === undefined ? 'none' : own.isDescending ? 'descending' : 'ascending';
  return (
    <span {...headAs(direction)} class="kind-cell">
      <button type="button" class="kind-sort" title={column.description} onClick={() => onOrder(next)}>
        <span class="cut">{column.name}</span>
        <span aria-hidden="true" class="kind-arrow">
          {own === undefined ? '' : own.isDescending ? '↓' : '↑'}
        </span>
      </button>
    </span>
  );
}

interface LineProps extends Line, Pick<Props, 'resource' | 'columns' | 'hasNamespaces'> {
  readonly row: Row;
  readonly index: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

function Line({ resource, row, index, columns, hasNamespaces, line, isActive, isSelected, onToggle }: LineProps) {
  const { name, namespace, deletionTimestamp } = row.metadata;
  const isNew = row.told !== undefined && Date.now() - row.told < NEW_FOR;
  const look = `kind-line ${isActive ? 'active' : ''} ${isNew ? 'new' : ''} ${deletionTimestamp === undefined ? '' : 'leaving'}`;
  return (
    <div id={`kind-row-${index}`} {...rowAs(index + 2)} {...{ 'aria-selected': isSelected }} class={look} style={line}>
      <span {...CELL} class="kind-check">
        <input type="checkbox" tabIndex={-1} aria-label={`Select ${name}`} checked={isSelected} onChange={onToggle} />
      </span>
      {columns.map(({ column, at }) => (
        <span key={at} {...CELL} class={`kind-cell cut ${column.type === 'integer' ? 'number' : ''}`} dir="auto">
          <Content {...{ resource, row, column, at }} />
        </span>
      ))}
      {hasNamespaces && (
        <span {...CELL} class="kind-cell cut">
          {namespace}
        </span>
      )}
    </div>
  );
}

/** A cell of a row: the title and the name are links to the object, and a folder has its title. */
function Content({ resource, row, column, at }: { readonly resource: Resource; readonly row: Row } & Shown) {
  const { name, namespace } = row.metadata;
  const cell = row.cells[at];
  if (isTitle(column) && typeof cell === 'string' && cell !== '')
    return (
      <Link href={placeOf(resource, row)} tabIndex={-1} title={cell.slice(0, 1000)} class="kind-title">
        {cell.slice(0, LONGEST)}
      </Link>
    );
  if (column.format === 'name')
    return (
      <Link href={placeOf(resource, row)} tabIndex={-1} title={name}>
        {name}
      </Link>
    );
  const folder = folderIn(resource, column, cell);
  if (folder !== undefined) return <FolderPathTitle namespace={namespace ?? ''} name={folder} tabIndex={-1} />;
  const reference = referenceIn(resource, column, cell);
  if (reference !== undefined)
    return <BindingCell text={reference} namespace={namespace ?? ''} hasWord={reference === cell} />;
  return <Value cell={cell} column={column} />;
}

/** A cell of a table, as text. */
export function Value({ cell, column }: { readonly cell: Cell; readonly column: Column }) {
  if (cell === undefined || cell === null) return null;
  if (column.type === 'date' && typeof cell === 'number') return <Time at={cell} />;
  if (isNumber(cell)) return <>{column.type === 'integer' ? cell.toLocaleString() : String(cell)}</>;
  const text = String(cell);
  return <span title={text.slice(0, 1000)}>{text.slice(0, LONGEST)}</span>;
}
