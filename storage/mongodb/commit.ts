import { Binary, type ClientSession, type Document } from 'mongodb';
import type { Put } from '../backend.js';
import type { Key } from '../key.js';
import { encodeWhole } from '../log/segment.js';
import { restAfter } from '../stretch.js';
import { inCommands, type WriteCommand } from './commands.js';
import type { Database } from './database.js';
import {
  type ChangeDocument,
  type CommitDocument,
  counterField,
  type LogDocument,
  type ObjectDocument,
  objectDocument,
  textOf,
} from './documents.js';
import type { Prepared } from './prepare.js';
import { isStageable, stagedValueId } from './staged.js';

/**
 * Runs the statements of the transaction before its commit. The first statement checks that the log ends at `after`, and locks the document
 * of the log against other servers until the commit. Returns false if the log does not end there: nothing must be committed then.
 */
export async function writeBatch(database: Database, session: ClientSession, prepared: Prepared): Promise<boolean> {
  const documents = prepared.isSplit ? changeDocuments(prepared) : commitDocuments(prepared);
  await restAfter(prepared.batch.changes.length);
  if (documents.length <= 1) {
    if (!(await writeLogTogether(database, session, prepared, documents))) return false;
    await writeObjects(database, session, prepared);
    return true;
  }
  const log = await advanceLog(database, session, prepared, documents);
  if (log === null) return false;
  await writeObjects(database, session, prepared);
  const insert = (part: readonly LogItem[]): WriteCommand => ({ insert: 'changes', documents: part });
  for (const command of inCommands(dated(documents, log.at), lengthOf, insert))
    await database.statement(session, command);
  return true;
}

/** A document of the log without the time, which the database gives. */
type LogItem = Omit<CommitDocument, 'at'> | Omit<ChangeDocument, 'at'>;

async function writeObjects(database: Database, session: ClientSession, prepared: Prepared): Promise<void> {
  for (const [resource, puts] of prepared.objects) {
    await restAfter(puts.length);
    for (const command of objectCommands(resource, puts, prepared)) await database.statement(session, command);
  }
}

/** Writes the document of the log and the commit by one command. Returns false if the document is not as expected: nothing must be committed then. */
async function writeLogTogether(
  database: Database,
  session: ClientSession,
  prepared: Prepared,
  documents: readonly LogItem[],
): Promise<boolean> {
  const log = {
    q: endOf(prepared),
    u: advanced(database, prepared, documents),
  };
  const items = documents.map(({ _id, ...u }) => ({ q: { _id }, u: timed(u), upsert: true }));
  const { n } = await database.statement(session, { update: 'changes', updates: [log, ...items] });
  return n === 1 + items.length;
}

/** Finds the document of the log if that ends where the batch begins, with the commit that the batch continues. */
function endOf({ after, batch: { parent } }: Prepared): Document {
  return { _id: 'log', revision: after, ...(parent !== undefined && { commit: parent }) };
}

function timed(fields: object): Document {
  return { $set: fields, $currentDate: { at: true } };
}

/** A commit of more bytes is read from the changes by other servers. */
const MOST_SENT = 64 * 1024;

/** The update of the document of the log. Other servers get it as an event, with the commit in it if it is small. */
function advanced(database: Database, { server, after, batch }: Prepared, [document]: readonly LogItem[]): Document {
  const counters = [...batch.counters].map(([resource, value]) => [`counters.${counterField(resource)}`, value]);
  const segment = document !== undefined && 'segment' in document ? document.segment : undefined;
  const isSent = database.isFollowed && segment !== undefined && segment.length() <= MOST_SENT;
  const fields = {
    revision: after + batch.changes.length,
    // A commit without changes has no place in the log.
    ...(batch.changes.length > 0 && { commit: batch.commit }),
    ...(batch.parent !== undefined && { parent: batch.parent }),
    writer: `${server} ${batch.commit}`,
    ...Object.fromEntries(counters),
    ...(isSent && { segment }),
  };
  return { ...timed(fields), ...(!isSent && { $unset: { segment: '' } }) };
}

function* dated(
  documents: readonly LogItem[],
  at: LogDocument['at'],
): Generator<LogItem & { readonly at: Date }, void, undefined> {
  for (const document of documents) yield { ...document, at };
}

type Head = Pick<LogDocument, 'at'>;

async function advanceLog(
  database: Database,
  session: ClientSession,
  prepared: Prepared,
  documents: readonly LogItem[],
): Promise<Head | null> {
  const reply = await database.statement(session, {
    findAndModify: 'changes',
    query: endOf(prepared),
    update: advanced(database, prepared, documents),
    new: true,
    fields: { at: 1 },
  });
  return reply['value'];
}

/** Inserts of new objects cost the database half as much as updates that insert, but a command of their own. */
const INSERTED_FROM = 4;

/** The commands are made one after another, so that others get their turns while the database answers. */
function* objectCommands(
  resource: string,
  puts: readonly Put[],
  { texts, existing }: Prepared,
): Generator<WriteCommand, void, undefined> {
  const [fresh, changed, gone]: [Put[], Put[], Key[]] = [[], [], []];
  for (const put of puts) {
    if (!texts.has(put)) gone.push(put.key);
    else (existing.has(put.key) ? changed : fresh).push(put);
  }
  const isInserted = changed.length === 0 || fresh.length >= INSERTED_FROM;
  const [inserted, replaced] = isInserted ? [fresh, changed] : [[], [...fresh, ...changed]];
  yield* inCommands(documentsOf(inserted, texts), sizeOfBody, (documents) => ({ insert: resource, documents }));
  yield* inCommands(documentsOf(replaced, texts), sizeOfBody, (part) => replacement(resource, part));
  yield* inCommands(
    gone,
    (key) => key.length,
    (part) => ({ delete: resource, deletes: [{ q: { _id: { $in: part } }, limit: 0 }] }),
  );
}

function* documentsOf(puts: readonly Put[], texts: Prepared['texts']): Generator<ObjectDocument, void, undefined> {
  for (const put of puts) yield objectDocument(put, texts.get(put) ?? '');
}

function sizeOfBody({ body }: ObjectDocument): number {
  return body.length;
}

function replacement(resource: string, documents: readonly ObjectDocument[]): WriteCommand {
  const updates = documents.map(({ _id, ...u }) => ({ q: { _id }, u, upsert: true }));
  return { update: resource, updates, ordered: false };
}

/** None for a commit without changes, which the document of the log has alone. */
function commitDocuments({ after, batch }: Prepared): readonly Omit<CommitDocument, 'at'>[] {
  const { changes, commit, parent } = batch;
  if (changes.length === 0) return [];
  const segment = new Binary(encodeWhole(after, batch));
  return [{ _id: after + changes.length, from: after + 1, commit, ...(parent !== undefined && { parent }), segment }];
}

function changeDocuments({ after, batch, staged, texts }: Prepared): Omit<ChangeDocument, 'at'>[] {
  const end = after + batch.changes.length;
  const counters = Object.fromEntries([...batch.counters].map(([resource, n]) => [counterField(resource), n]));
  return batch.changes.map((put) => {
    const { key, revision, previous } = put;
    const body = texts.get(put);
    const before = previous && {
      revision: previous.revision,
      ...(!(staged && isStageable(put, after)) && { body: textOf(previous.value) }),
    };
    return {
      _id: revision,
      end,
      commit: batch.commit,
      ...(revision === after + 1 && batch.parent !== undefined && { parent: batch.parent }),
      key,
      ...(body !== undefined && (staged ? { staged: stagedValueId(batch.commit, revision) } : { body })),
      ...(before && { previous: before }),
      ...(revision === end && batch.counters.size > 0 && { counters }),
    };
  });
}

function lengthOf(document: LogItem): number {
  if ('segment' in document) return document.segment.length();
  return (document.body?.length ?? 0) + (document.previous?.body?.length ?? 0);
}
