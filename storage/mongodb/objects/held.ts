import type { Stored } from '../../backend.js';
import type { Database } from '../connection/database.js';
import { storedOf } from '../format/documents.js';
import { resourcesOf } from './collections.js';
import { PROJECTION } from './read.js';

const CHUNK = 1000;

/** All objects as they are now, which is no snapshot. */
export async function* objectsOf(database: Database): AsyncGenerator<readonly Stored[], void, undefined> {
  for (const resource of await resourcesOf(database)) {
    const cursor = database.objects(resource).find({}, { sort: { _id: 1 }, projection: PROJECTION, batchSize: CHUNK });
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments().map(storedOf);
  }
}
