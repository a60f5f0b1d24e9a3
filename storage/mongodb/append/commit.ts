import { Binary, type Document } from 'mongodb';
import { type CommitDocument, counterField } from '../format/documents.js';
import type { Prepared } from './prepare.js';

/**
 * The command that appends a commit. Its first statement moves the end of the log by compare-and-set, its second one
 * writes the document of the commit. They are no transaction: if the database stops between them, the document of the
 * log still has the commit (storage/mongodb/log/last.ts). Repeating the command does nothing once it has taken place,
 * or once the log has gone on.
 */
export function appendCommand(prepared: Prepared, timeout: number): Document {
  const { batch } = prepared;
  const { _id, ...fields } = commitDocument(prepared);
  const written = { q: { _id }, u: timed(fields), upsert: true };
  return {
    update: 'changes',
    // A commit without changes has no place in the log.
    updates: [moved(prepared), ...(batch.changes.length > 0 ? [written] : [])],
    ordered: true,
    writeConcern: { w: 'majority', j: true, wtimeout: timeout },
  };
}

/**
 * Moves the end of the log if that is where the batch begins, with the commit that the batch continues. If it is
 * elsewhere, the command must stop here, but a statement that finds nothing is no error. So it would insert a document
 * then, and that is one that MongoDB refuses, because it has two ids: `log` by `q`, and `elsewhere` by `$setOnInsert`.
 * The answer is error 66, which `isCommitted` reads (storage/mongodb/append/settle.ts).
 */
function moved(prepared: Prepared): Document {
  const { server, after, batch } = prepared;
  const { _id, from, commit, parent, segment, parts } = commitDocument(prepared);
  const counters = [...batch.counters].map(([resource, value]) => [`counters.${counterField(resource)}`, value]);
  const content = { from, commit, ...(parent !== undefined && { parent }), ...(segment ? { segment } : { parts }) };
  const fields = {
    revision: _id,
    // A commit without changes leaves the last one as it is, with the one that it continues.
    ...(batch.changes.length > 0 && content),
    writer: `${server} ${batch.commitId}`,
  };
  // Commits without changes are not in the log, so a server may not have heard of one, and a repeated one may come
  // late.
  const grown = counters.length > 0 ? { $max: Object.fromEntries(counters) } : {};
  const former = batch.changes.length === 0 ? {} : { $unset: segment ? { parts: '' } : { segment: '' } };
  return {
    q: { _id: 'log', revision: after, ...(batch.parent !== undefined && { commit: batch.parent }) },
    u: { ...timed(fields), ...grown, ...former, $setOnInsert: { _id: 'elsewhere' } },
    upsert: true,
  };
}

function timed(fields: object): Document {
  return { $set: fields, $currentDate: { at: true } };
}

function commitDocument({ after, batch, segment, parts }: Prepared): Omit<CommitDocument, 'at'> {
  const { changes, commitId: commit, parent } = batch;
  return {
    _id: after + changes.length,
    from: after + 1,
    commit,
    ...(parent !== undefined && { parent }),
    ...(segment ? { segment: new Binary(segment) } : { parts: parts.length }),
  };
}
