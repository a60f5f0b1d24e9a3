import { type Key, resourceOf } from '../key.js';
import type { Held, Repair } from '../snapshot.js';
import { resourcesOf } from './collections.js';
import { objectDocument, textOf } from './documents.js';
import { storageError } from './errors.js';
import { checkFormat } from './format.js';
import { objectsOf } from './held.js';
import { makeIndexes } from './indexes.js';
import { connected } from './open.js';
import type { MongodbOptions } from './options.js';
import { refuseUsed } from './used.js';

/** Makes the indexes of a database anew. Throws `refused` while a server uses it. */
export async function openMongodbRepair(
  options: Pick<MongodbOptions, 'uri' | 'database' | 'timeouts'>,
): Promise<Repair> {
  const database = await connected(options, async (database) => {
    checkFormat(await database.domain.findOne({ _id: 'domain' }));
    await refuseUsed(database, options.database);
  });
  const translated = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => {
      throw storageError(error);
    });
  };
  return {
    objects: () => objectsOf(database),
    put: (objects: readonly Held[]) =>
      translated(async () => {
        for (const held of objects) {
          const { _id, ...rest } = objectDocument(held, textOf(held.value));
          await database.objects(resourceOf(_id as Key)).replaceOne({ _id }, rest);
        }
      }),
    reindex: () =>
      translated(async () => {
        const indexed: string[] = [];
        for (const resource of await resourcesOf(database))
          if (await makeIndexes(database, resource)) indexed.push(resource);
        await database.log.updateOne({ _id: 'log' }, { $addToSet: { indexed: { $each: indexed } } });
      }),
    close: () => database.client.close(),
  };
}
