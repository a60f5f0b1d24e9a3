import { useEffect } from 'preact/hooks';
import type { Resource } from '../../lib/discovery.js';
import { titlesVersion } from '../../lib/table-titles.js';
import { isInFolders } from '../folders/model/kinds.js';
import { askTitle, titlesVersion as folderTitles, knownAbove, knownTitle } from '../folders/model/titles.js';
import { askReference, namesVersion, referenceIn, shownReference } from './binding-cell.js';
import type { Cell, Column, Row } from './table.js';

/** The columns that name the folder in which an object lies. */
const CONTAINERS: ReadonlySet<string> = new Set(['Folder', 'Parent']);
/** The most rows whose titles are asked for, to sort and filter by them. */
const MOST = 2000;

/** The uid of a folder in a cell, which is shown by its title. */
export function folderIn(resource: Resource, column: Column, cell: Cell): string | undefined {
  const isFolder = CONTAINERS.has(column.name) && isInFolders(resource);
  return isFolder && typeof cell === 'string' && cell !== '' ? cell : undefined;
}

/** The text that a cell is shown as, as far as titles are known. */
export type ShownCell = (row: Row, at: number) => Cell;

/**
 * The texts by which rows are sorted and filtered: those that people see. While it is wanted, the titles of all rows
 * are asked for. `version` changes when one comes.
 */
export function useShownCells(
  resource: Resource,
  columns: readonly Column[],
  rows: ReadonlyMap<string, Row>,
  isWanted: boolean,
): { readonly shown: ShownCell; readonly version: string } {
  const version = isWanted ? `${titlesVersion()} ${folderTitles()} ${sizeOf(namesVersion())}` : '';
  useEffect(() => {
    if (!isWanted) return;
    for (const row of [...rows.values()].slice(0, MOST))
      for (const [at, column] of columns.entries()) askCell(resource, column, row, at);
  }, [resource, columns, rows, isWanted]);
  const shown: ShownCell = (row, at) => {
    const [column, cell, namespace] = [columns[at], row.cells[at], row.metadata.namespace ?? ''];
    if (column === undefined) return cell;
    const folder = folderIn(resource, column, cell);
    if (folder !== undefined) {
      const title = knownTitle('folder', namespace, folder);
      return title === undefined ? cell : [...knownAbove(namespace, folder).titles, title].join(' / ');
    }
    const reference = referenceIn(resource, column, cell);
    return (reference && shownReference(reference, namespace)) ?? cell;
  };
  return { shown, version };
}

const sizeOf = (names: ReadonlyMap<string, string>): number => names.size;

function askCell(resource: Resource, column: Column, { cells, metadata: { namespace = '' } }: Row, at: number): void {
  const cell = cells[at];
  const reference = referenceIn(resource, column, cell);
  const folder = folderIn(resource, column, cell);
  if (reference !== undefined) askReference(reference, namespace);
  if (folder !== undefined) askTitle('folder', namespace, folder);
}
