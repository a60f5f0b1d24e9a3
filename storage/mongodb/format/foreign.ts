import type { StorageError } from '../../errors.js';
import { UNFINISHED } from '../../transfer/unfinished.js';
import { type Database, HEADS } from '../connection/database.js';
import { wholeEnd } from '../objects/complete.js';
import type { DomainDocument } from './documents.js';
import { HEADS_APART, refused } from './format.js';

/** The collections that a first start makes before it writes anything. */
const FIRST: readonly string[] = ['log', 'changes', 'staged', 'servers'];

/**
 * Throws `refused` unless the database is empty, or a server or a command of this product has made it, maybe not to the
 * end. It only reads. Others have collections with the same names, so one document does not tell: there must be the
 * record of the format and the log.
 */
export async function refuseForeign(database: Database, name: string): Promise<void> {
  if (await isOurs(database, name)) return;
  const foreign = await foreignCollection(database);
  // Another server may have finished its first start meanwhile.
  if (foreign === undefined || (await isOurs(database, name))) return;
  throw refused(
    `The database ${name} is of another program: it has the collection ${foreign}, and no record of a server of this one. ` +
      'Nothing was written. Name an empty database, or one of a server (storage.mongodb_database). If it is being restored, start the server when all of it is there.',
  );
}

async function isOurs(database: Database, name: string): Promise<boolean> {
  const found: Partial<DomainDocument> | null = await database.domain.findOne({ _id: 'domain' });
  if (typeof found?.domain !== 'string') return false;
  if (found.format === UNFINISHED) return true;
  if (typeof found.format !== 'number') return false;
  const heads = found.format === HEADS_APART ? database.formerHeads : database.logHead;
  const log: object | null = await heads.findOne({ _id: 'log' });
  if (log === null || !('revision' in log) || typeof log.revision !== 'number')
    throw incomplete(name, 'no log (the document `log` of the collection changes)');
  if (found.format !== HEADS_APART && (await wholeEnd(database)) === undefined)
    throw incomplete(name, `not all changes up to the end of its log (${log.revision})`);
  return true;
}

function incomplete(name: string, has: string): StorageError {
  return refused(
    `The database ${name} has the record of a server, but ${has}. ` +
      'It is not complete, as while it is being restored. Nothing was written. Restore all of it, and start the server then.',
  );
}

/** A collection that has what no first start has left. */
async function foreignCollection(database: Database): Promise<string | undefined> {
  const names = (await database.collections()).filter((name) => !name.startsWith('system.')).toSorted();
  const other = names.find((name) => !FIRST.includes(name));
  if (other !== undefined) return other;
  const head = { ...HEADS, revision: 0 };
  for (const name of names) {
    const first = name === 'changes' ? { $nor: [head] } : {};
    if ((await database.objects(name).findOne(first as object)) !== null) return name;
  }
  return undefined;
}
