/** A place in the order of an index: by tuple, then by key. In the order of the keys alone, the tuple is empty. */
export interface RowPosition {
  readonly tuple: string;
  readonly key: string;
}

export function isBefore(a: RowPosition, b: RowPosition): boolean {
  return a.tuple === b.tuple ? a.key < b.key : a.tuple < b.tuple;
}

/** The place of a row key, or of a tuple: before all its rows. */
export function rowPositionOf(rowKey: string): RowPosition {
  const space = rowKey.indexOf(' ');
  return space < 0 ? { tuple: rowKey, key: '' } : { tuple: rowKey.slice(0, space), key: rowKey.slice(space + 1) };
}
