import type { Document } from 'mongodb';
import type { Count, CountRange, IndexRange, Row, Stored } from '../backend.js';
import { behind } from '../range.js';
import { countsOf, type Database, rowsOf } from './database.js';
import { Gathered } from './gathered.js';
import { type FoundRow, hasRow, type RowedObject, rowedOfBytes, rowOfBytes, storedOfBytes } from './raw.js';
import { bytesOf, CHUNK, PROJECTION } from './read.js';

interface Asked {
  readonly resource: string;
  readonly range: CountRange;
}

interface AskedObjects {
  readonly resource: string;
  readonly keys: readonly string[];
}

/** A row that one read found. It has no object if its object changed between the reads of both. */
interface Candidate {
  readonly rowKey: string;
  readonly stored: Stored | undefined;
}

interface JoinedCounts {
  /** The number of the range. */
  readonly _id: number;
  readonly tuples: readonly string[];
  readonly counts: readonly number[];
}

/** Reads ranges of objects, index rows and counts. The ranges that a query asks for together are read by the same commands. */
export class Ranges {
  readonly #database: Database;
  readonly #rows = new Gathered((asked: readonly Asked[]) => this.#readRows(asked));
  readonly #objects = new Gathered((asked: readonly AskedObjects[]) => this.#readObjects(asked));
  readonly #counts = new Gathered((asked: readonly Asked[]) => this.#readCounts(asked));

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads on in place of rows without an object, so that only the end of the range returns fewer rows than wanted. */
  async range(resource: string, wanted: IndexRange): Promise<readonly Row[]> {
    const found: Row[] = [];
    let rest = wanted;
    while (rest.from < rest.to && rest.limit > 0) {
      const candidates = await this.#readRange(resource, rest);
      for (const { rowKey, stored } of candidates) if (stored !== undefined) found.push({ rowKey, stored });
      const last = candidates.at(-1);
      if (last === undefined || candidates.length < rest.limit) break;
      rest = { ...behind(rest, last.rowKey), limit: wanted.limit - found.length };
    }
    return found;
  }

  /** A count of 0 exists only inside of a transaction. */
  async counts(resource: string, range: CountRange): Promise<readonly Count[]> {
    if (range.from >= range.to || range.limit <= 0) return [];
    return this.#counts.ask({ resource, range });
  }

  #readRange(resource: string, wanted: IndexRange): Promise<readonly Candidate[]> {
    const { index } = wanted;
    return index === undefined ? this.#readKeys(resource, wanted) : this.#readIndex(resource, { ...wanted, index });
  }

  /** Asks for one more than the limit at once. MongoDB would send the first 101 alone, and would keep a cursor of exactly the limit open. */
  #readKeys(resource: string, wanted: IndexRange): Promise<readonly Candidate[]> {
    const { from, to, limit } = wanted;
    const options = { projection: PROJECTION, sort: sortOf(wanted), limit, batchSize: limit + 1, raw: true } as const;
    return this.#database.read(async (session) => {
      const cursor = this.#database.objects(resource).find({ _id: { $gte: from, $lt: to } }, { session, ...options });
      return (await bytesOf(cursor)).map(storedOfBytes).map((stored) => ({ rowKey: stored.key, stored }));
    });
  }

  /**
   * Rows and objects are written together but not read together, so a row only counts if its object names it. MongoDB reads only the keys of the rows
   * in its index, because these contain the keys of the objects. A $lookup of both would take it twice as long.
   */
  async #readIndex(resource: string, range: CountRange): Promise<readonly Candidate[]> {
    const rows = await this.#rows.ask({ resource, range });
    if (rows.length === 0) return [];
    const objects = await this.#objects.ask({ resource, keys: rows.map(({ key }) => key) });
    return rows.map(({ id, key, rowKey }) => {
      const object = objects.get(key);
      return { rowKey, stored: object && hasRow(object, id) ? object.stored : undefined };
    });
  }

  /** MongoDB does not promise an order of united results. */
  async #readRows(asked: readonly Asked[]): Promise<readonly (readonly FoundRow[])[]> {
    const [first] = asked;
    const found: FoundRow[][] = asked.map(() => []);
    if (first === undefined) return found;
    const pipeline = united(asked, rowsOf, (part) => [{ $project: { part: { $literal: part } } }]);
    const batchSize = asked.reduce((sum, { range }) => sum + range.limit, 1);
    await this.#database.read(async (session) => {
      const options = { session, batchSize, raw: true };
      const cursor = this.#database.rows(first.resource).aggregate(pipeline, options);
      for (const bytes of await bytesOf(cursor)) {
        const row = rowOfBytes(bytes);
        found[row.part]?.push(row);
      }
    });
    for (const [i, rows] of found.entries()) {
      const direction = asked[i]?.range.reverse === true ? -1 : 1;
      rows.sort((a, b) => direction * Buffer.compare(a.id, b.id));
    }
    return found;
  }

  /** The objects of all. */
  async #readObjects(asked: readonly AskedObjects[]): Promise<readonly ReadonlyMap<string, RowedObject>[]> {
    const found = new Map<string, RowedObject>();
    const read = async (resource: string, keys: readonly string[]): Promise<void> => {
      for (const object of await this.#readRowed(resource, keys)) found.set(object.stored.key, object);
    };
    const reads: Promise<void>[] = [];
    for (const resource of new Set(asked.map((one) => one.resource))) {
      const own = asked.filter((one) => one.resource === resource);
      const keys = [...new Set(own.flatMap((one) => one.keys))];
      for (let i = 0; i < keys.length; i += CHUNK) reads.push(read(resource, keys.slice(i, i + CHUNK)));
    }
    await Promise.all(reads);
    return asked.map(() => found);
  }

  #readRowed(resource: string, keys: readonly string[]): Promise<readonly RowedObject[]> {
    const options = { projection: { ...PROJECTION, index: 1 }, batchSize: keys.length + 1, raw: true };
    return this.#database.read(async (session) => {
      const cursor = this.#database.objects(resource).find({ _id: { $in: keys } }, { session, ...options });
      return (await bytesOf(cursor)).map(rowedOfBytes);
    });
  }

  /**
   * There may be ten thousand in a range, so MongoDB joins them to one document, because the driver takes longer to decode as many documents than to decode
   * their values.
   */
  async #readCounts(asked: readonly Asked[]): Promise<readonly (readonly Count[])[]> {
    const [first] = asked;
    if (first === undefined) return [];
    const pipeline = united(asked, countsOf, (part) => [
      { $group: { _id: { $literal: part }, tuples: { $push: '$_id' }, counts: { $push: '$count' } } },
    ]);
    const joined = await this.#database.read((session) =>
      this.#database.counts(first.resource).aggregate<JoinedCounts>(pipeline, { session }).toArray(),
    );
    const byPart = new Map(joined.map((one) => [one._id, one]));
    return asked.map(({ range }, part) => {
      const { tuples = [], counts = [] } = byPart.get(part) ?? {};
      return tuples.map((id, i) => ({ tuple: id.slice(range.index.length + 1), count: counts[i] ?? 0 }));
    });
  }
}

/** A pipeline that reads all ranges. It runs on the collection of the first one. `rest` gets the number of the range. */
function united(
  asked: readonly Asked[],
  collectionOf: (resource: string) => string,
  rest: (part: number) => readonly Document[],
): Document[] {
  return asked.flatMap(({ resource, range }, part) => {
    const { index, from, to, limit } = range;
    const inRange = { _id: { $gte: `${index} ${from}`, $lt: `${index} ${to}` } };
    const stages = [{ $match: inRange }, { $sort: sortOf(range) }, { $limit: limit }, ...rest(part)];
    return part === 0 ? stages : [{ $unionWith: { coll: collectionOf(resource), pipeline: stages } }];
  });
}

function sortOf({ reverse }: Pick<IndexRange, 'reverse'>) {
  return { _id: reverse === true ? -1 : 1 } as const;
}
