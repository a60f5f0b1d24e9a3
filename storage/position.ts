/** A place in the order of an index: by tuple, then by key. In the order of the keys alone, the tuple is empty. */
export interface Position {
  readonly tuple: string;
  readonly key: string;
}

export function isBefore(a: Position, b: Position): boolean {
  return a.tuple === b.tuple ? a.key < b.key : a.tuple < b.tuple;
}
