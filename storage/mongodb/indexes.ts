import type { ClientSession } from 'mongodb';
import { countsOf, type Database, rowsOf } from './database.js';

/** Makes the rows and counts of a resource anew. Returns whether it has rows. MongoDB does it without sending them here. */
export async function makeIndexes(database: Database, resource: string): Promise<boolean> {
  const objects = database.objects(resource);
  const has = async (field: string): Promise<boolean> =>
    (await objects.findOne({ [field]: { $exists: true } })) !== null;
  const present = new Set(await database.collections());
  const each = (field: string) => [
    { $match: { [field]: { $exists: true } } },
    { $project: { one: { $setUnion: [`$${field}`, []] } } },
    { $unwind: '$one' },
  ];
  const rows = [...each('index'), { $project: { _id: '$one', key: '$_id' } }, { $out: rowsOf(resource) }];
  const counts = [...each('counted'), { $group: { _id: '$one', count: { $sum: 1 } } }, { $out: countsOf(resource) }];
  const isIndexed = await has('index');
  if (isIndexed) await objects.aggregate(rows, { allowDiskUse: true }).toArray();
  else if (present.has(rowsOf(resource))) await database.drop([rowsOf(resource)]);
  if (await has('counted')) await objects.aggregate(counts, { allowDiskUse: true }).toArray();
  else if (present.has(countsOf(resource))) await database.drop([countsOf(resource)]);
  return isIndexed;
}

const CHUNK = 500;
const READ = { readConcern: { level: 'snapshot' }, batchSize: CHUNK } as const;

/** What is wrong with the rows and counts of a resource in a snapshot, in words. */
export async function* indexProblems(
  database: Database,
  resource: string,
  session: ClientSession,
): AsyncGenerator<string, void, undefined> {
  const options = { session, ...READ };
  const counts = new Map<string, number>();
  const cursor = database.objects(resource).find({}, { ...options, projection: { index: 1, counted: 1 } });
  let rows = 0;
  while (await cursor.hasNext()) {
    const chunk = cursor.readBufferedDocuments();
    for (const { counted = [] } of chunk) for (const one of counted) counts.set(one, (counts.get(one) ?? 0) + 1);
    const wanted = new Set(chunk.flatMap(({ index = [] }) => index));
    rows += wanted.size;
    if (wanted.size === 0) continue;
    const inChunk = { _id: { $in: [...wanted] } };
    const found = await database
      .rows(resource)
      .find(inChunk, { ...options, projection: { _id: 1 } })
      .toArray();
    for (const { _id } of found) wanted.delete(_id);
    for (const id of wanted) yield `the row ${id} of ${resource} is missing`;
  }
  yield* extraRows(database, resource, rows, options);
  yield* wrongCounts(database, resource, counts, options);
}

type Options = typeof READ & { readonly session: ClientSession };

async function* extraRows(
  database: Database,
  resource: string,
  wanted: number,
  options: Options,
): AsyncGenerator<string> {
  const [found] = await database
    .rows(resource)
    .aggregate<{ readonly rows: number }>([{ $count: 'rows' }], options)
    .toArray();
  const extra = (found?.rows ?? 0) - wanted;
  if (extra > 0) yield `${resource} has ${extra} index rows more than its objects`;
}

async function* wrongCounts(
  database: Database,
  resource: string,
  left: Map<string, number>,
  options: Options,
): AsyncGenerator<string> {
  for await (const { _id, count } of database.counts(resource).find({}, options)) {
    const right = left.get(_id) ?? 0;
    left.delete(_id);
    if (count !== right) yield `the count of ${_id} of ${resource} is ${count}, not ${right}`;
  }
  for (const [id, right] of left) yield `the count of ${id} of ${resource} is 0, not ${right}`;
}
