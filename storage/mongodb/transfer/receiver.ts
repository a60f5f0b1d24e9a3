import { randomUUID } from 'node:crypto';
import type { Bytes, Revision, Stored } from '../../backend.js';
import type { Key } from '../../key.js';
import { resourceOf } from '../../key.js';
import type { Head, LoggedCommit, ObjectVersion, Receiver, ReceiverOptions } from '../../transfer/snapshot.js';
import { UNFINISHED } from '../../transfer/unfinished.js';
import { inCommands } from '../append/commands.js';
import { ALL_CHANGES, type Database } from '../connection/database.js';
import { storageError, translated } from '../connection/errors.js';
import type { MongodbOptions } from '../connection/options.js';
import { counterField, isWhole, objectDocument, storedOf, textOf } from '../format/documents.js';
import { refuseForeign } from '../format/foreign.js';
import { FORMAT, refused } from '../format/format.js';
import { logDocuments } from '../log/logged.js';
import { resourcesOf } from '../objects/collections.js';
import { objectsOf } from '../objects/held.js';
import { connected } from '../open.js';
import { refuseUsed } from '../peers/used.js';

const CHUNK = 2000;
/** The last write of a receiver waits for a majority, which then has all writes before it. */
const FAST = { w: 1, journal: false } as const;

/** Fills a database. Throws `refused` if it has other data, or if a server uses it. */
export async function openMongodbReceiver(
  options: Pick<MongodbOptions, 'uri' | 'database' | 'timeouts'>,
  wanted: ReceiverOptions,
): Promise<Receiver> {
  const database = await connected(options, (database) => begin(database, options.database, wanted));
  return new MongodbReceiver(database, wanted.origin);
}

async function begin(database: Database, name: string, { domain, origin, replaces }: ReceiverOptions): Promise<void> {
  const names = await database.collections();
  const found = await database.domain.findOne({ _id: 'domain' });
  if (found !== null) await refuseForeign(database, name);
  if (found === null && names.length > 0) {
    throw refused(`The database ${name} has collections of another program. Name another one.`);
  }
  const isKnown = found?.origin?.origin === origin;
  const isUnchanged = isKnown && (await database.logHead.findOne({ _id: 'log' }))?.revision === found?.origin?.end;
  if (found !== null && found.format !== UNFINISHED) {
    await refuseUsed(database, name);
    if (!isUnchanged && !replaces) {
      throw refused(`The database ${name} has data of its own. With --force it is replaced.`);
    }
  }
  const [own, mark] = [{ origin: { origin, end: 0 } }, { domain, format: UNFINISHED } as const];
  const goesOn = isKnown && !replaces;
  const change = goesOn ? { $set: { ...mark, ...own } } : { $set: mark, $unset: { origin: '' } as const };
  await database.domain.updateOne({ _id: 'domain' }, change, { upsert: true });
  if (!goesOn) {
    await database.drop(names.filter((one) => one !== 'log' && !one.startsWith('system.')));
    // Noted last: if this is interrupted, what is left of other data must not count as work of this origin.
    await database.domain.updateOne({ _id: 'domain' }, { $set: own });
  }
  await database.ensureOwn();
}

class MongodbReceiver implements Receiver {
  readonly #database: Database;
  readonly #origin: string;

  constructor(database: Database, origin: string) {
    this.#database = database;
    this.#origin = origin;
  }

  present(): AsyncIterable<readonly ObjectVersion[]> {
    return translated(this.#present());
  }
  logged(compacted: Revision): Promise<Revision> {
    return this.#use(async () => {
      const { changes, staged } = this.#database;
      await changes.deleteMany({ _id: { $lte: compacted } });
      await staged.deleteMany({ change: { $lte: compacted } });
      const last = await changes.findOne(ALL_CHANGES, { sort: { _id: -1 } });
      if (last === null) return compacted;
      if (isWhole(last) || last._id === last.end) return last._id;
      // The rest of the commit is missing.
      await changes.deleteMany({ end: last.end, _id: { $lte: last.end } });
      return (await changes.findOne(ALL_CHANGES, { sort: { _id: -1 } }))?._id ?? compacted;
    });
  }

  put(objects: readonly Stored[], existing: ReadonlySet<Key>): Promise<void> {
    return this.#use(async () => {
      const byResource = new Map<string, Stored[]>();
      for (const held of objects) {
        const resource = resourceOf(held.key);
        const own = byResource.get(resource);
        if (own === undefined) byResource.set(resource, [held]);
        else own.push(held);
      }
      for (const [resource, own] of byResource) await this.#putInto(resource, own, existing);
    });
  }

  remove(keys: readonly Key[]): Promise<void> {
    return this.#use(async () => {
      for (const resource of new Set(keys.map(resourceOf))) {
        const own = keys.filter((key) => resourceOf(key) === resource);
        await this.#database.objects(resource).deleteMany({ _id: { $in: own } }, { writeConcern: FAST });
      }
    });
  }

  log(commits: readonly LoggedCommit[]): Promise<void> {
    return this.#use(async () => {
      const { changes, staged } = logDocuments(commits);
      for (const { _id, ...rest } of staged) {
        await this.#database.staged.replaceOne({ _id }, rest, { upsert: true, writeConcern: FAST });
      }
      const sizeOf = (change: (typeof changes)[number]): number =>
        (change.body?.length ?? 0) + (change.previous?.body?.length ?? 0);
      for (const command of inCommands(changes, sizeOf, (documents) => ({ insert: 'changes', documents }))) {
        await this.#send(command);
      }
    });
  }

  objects(): AsyncIterable<readonly Stored[]> {
    return translated(objectsOf(this.#database));
  }

  get(key: Key): Promise<Bytes | undefined> {
    return this.#use(async () => {
      const found = await this.#database.objects(resourceOf(key)).findOne({ _id: key });
      return found === null ? undefined : storedOf(found).value;
    });
  }

  finish({ domain, end, at, compacted, counters }: Head): Promise<void> {
    return this.#use(async () => {
      const database = this.#database;
      // The next commit continues this one. A log that has no commits has no name for its end either.
      const last = await database.changes.findOne(ALL_CHANGES, { sort: { _id: -1 }, projection: { commit: 1 } });
      const log = {
        revision: end,
        commit: last?._id === end ? last.commit : randomUUID(),
        writer: '',
        at: new Date(at),
        counters: Object.fromEntries([...counters].map(([resource, n]) => [counterField(resource), n])),
      };
      await database.logHead.replaceOne({ _id: 'log' }, log, { upsert: true });
      await database.compactionHead.replaceOne({ _id: 'compaction' }, { revision: compacted }, { upsert: true });
      await database.objectsHead.replaceOne({ _id: 'objects' }, { revision: end }, { upsert: true });
      const mark = { domain, format: FORMAT, origin: { origin: this.#origin, end } };
      await database.domain.updateOne({ _id: 'domain' }, { $set: mark });
    });
  }

  async close(): Promise<void> {
    await this.#database.client.close();
  }

  async #putInto(resource: string, objects: readonly Stored[], existing: ReadonlySet<Key>): Promise<void> {
    const documents = objects.map((held) => objectDocument(held, textOf(held.value)));
    const fresh = documents.filter(({ _id }) => !existing.has(_id as Key));
    const changed = documents.filter(({ _id }) => existing.has(_id as Key));
    for (const command of inCommands(fresh, sizeOfBody, (part) => ({ insert: resource, documents: part }))) {
      await this.#send(command);
    }
    const replaced = (part: typeof documents) => part.map(({ _id, ...u }) => ({ q: { _id }, u, upsert: true }));
    for (const command of inCommands(changed, sizeOfBody, (part) => ({
      update: resource,
      updates: replaced([...part]),
    }))) {
      await this.#send(command);
    }
  }

  async #send(command: object): Promise<void> {
    const session = this.#database.startReading();
    try {
      await this.#database.statement(session, { ...command, writeConcern: { w: 1 } });
    } finally {
      await session.endSession();
    }
  }

  async *#present(): AsyncIterable<readonly ObjectVersion[]> {
    const [sort, projection] = [{ _id: 1 }, { revision: 1 }] as const;
    for (const resource of await resourcesOf(this.#database)) {
      const cursor = this.#database.objects(resource).find({}, { sort, projection, batchSize: CHUNK });
      while (await cursor.hasNext()) {
        yield cursor.readBufferedDocuments().map(({ _id, revision }) => ({ key: _id as Key, revision }));
      }
    }
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storageError(error);
    }
  }
}

function sizeOfBody({ body }: { readonly body: string }): number {
  return body.length;
}
