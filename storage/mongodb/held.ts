import type { IndexRow } from '../backend.js';
import type { Key } from '../key.js';
import type { Held } from '../snapshot.js';
import { type ObjectDocument, storedOf } from './documents.js';

/** The fields that `heldOf` needs. */
export const HELD = { revision: 1, body: 1, index: 1, counted: 1 } as const;

/** The `counted` of an object are the prefixes of its rows that it is counted under. A prefix of a cut tuple may be no prefix any more. */
export function heldOf(document: ObjectDocument): Held {
  const { index = [], counted = [], _id } = document;
  const left = new Set(counted);
  const rows = index.map((id): IndexRow => rowOf(id, _id as Key, counted, left));
  for (const one of left) {
    const [name, tuple] = parts(one);
    const at = rows.findIndex((row) => row.index === name && row.counted === undefined);
    if (at >= 0) rows[at] = { index: name, tuple: rows[at]?.tuple ?? '', counted: tuple };
  }
  return { ...storedOf(document), rows };
}

function rowOf(id: string, key: Key, counted: readonly string[], left: Set<string>): IndexRow {
  const row = id.slice(0, id.length - key.length - 1);
  const [index, tuple] = parts(row);
  const own = counted.find((one) => row.startsWith(one));
  if (own === undefined) return { index, tuple };
  left.delete(own);
  return { index, tuple, counted: parts(own)[1] };
}

function parts(text: string): readonly [index: string, tuple: string] {
  const space = text.indexOf(' ');
  return [text.slice(0, space), text.slice(space + 1)];
}
