import type { IndexRow } from '../backend.js';
import type { Key } from '../key.js';
import type { Held } from '../snapshot.js';
import { resourcesOf } from './collections.js';
import type { Database } from './database.js';
import { type ObjectDocument, storedOf } from './documents.js';

const CHUNK = 1000;
/** The fields that `heldOf` needs. */
export const HELD = { revision: 1, body: 1, index: 1, counted: 1 } as const;

/** All objects as they are now, which is no snapshot. */
export async function* objectsOf(database: Database): AsyncGenerator<readonly Held[], void, undefined> {
  for (const resource of await resourcesOf(database)) {
    const cursor = database.objects(resource).find({}, { sort: { _id: 1 }, projection: HELD, batchSize: CHUNK });
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments().map(heldOf);
  }
}

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
