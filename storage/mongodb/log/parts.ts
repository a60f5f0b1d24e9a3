import { Binary } from 'mongodb';
import { yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import type { Batch, Bytes, Revision } from '../../backend.js';
import type { Database } from '../connection/database.js';
import { isDuplicateKey } from '../connection/errors.js';
import type { CommitDocument } from '../format/documents.js';
import { optionsOf, type Reading } from './reading.js';

/** A document may have 16 MiB, and one change may have more: a value and the one before it. */
const PART_BYTES = 8 * 1024 * 1024;
/** The parts that one command reads. */
const CHUNK = 4;

/** A piece of a segment. */
export interface SegmentPart {
  readonly bytes: Bytes;
  /** Whether the segment ends with it. */
  readonly isEnd: boolean;
}

/** A commit that is too large for one document. */
interface LargeCommit {
  readonly after: Revision;
  readonly batch: Batch;
  readonly parts: readonly SegmentPart[];
}

export function* partsOf(segment: Bytes): Generator<SegmentPart, void, undefined> {
  for (let from = 0; from < segment.byteLength; from += PART_BYTES) {
    const bytes = segment.subarray(from, from + PART_BYTES);
    yield { bytes, isEnd: from + PART_BYTES >= segment.byteLength };
  }
}

function partId(commit: string, i: number): string {
  return `${commit}/${i}`;
}

/**
 * Writes the parts of a large commit, one after another. A majority has each before the commit names them: otherwise
 * another primary could have the commit without them. What is there already is the same, because the id of the commit
 * is unique.
 */
export async function writeParts(database: Database, { after, batch, parts }: LargeCommit): Promise<void> {
  const change = after + batch.changes.length;
  for (const [i, { bytes, isEnd }] of parts.entries()) {
    const part = { _id: partId(batch.commitId, i), segment: new Binary(bytes), isEnd, change };
    await database.parts.insertOne(part).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    await yieldToLoop();
  }
}

/** The segments of a commit, through the session. `undefined` if a compaction has removed a part. */
export async function segmentsOf(
  database: Database,
  { commit, segment, parts = 0 }: Pick<CommitDocument, 'commit' | 'segment' | 'parts'>,
  reading: Reading,
): Promise<readonly Bytes[] | undefined> {
  if (segment !== undefined) return [segment.buffer];
  const segments: Bytes[] = [];
  let pieces: Bytes[] = [];
  for (let from = 0; from < parts; from += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, parts - from) }, (_, i) => partId(commit, from + i));
    const found = new Map<string, { readonly segment: Binary; readonly isEnd: boolean }>();
    for await (const part of database.parts.find({ _id: { $in: ids } }, optionsOf(reading))) found.set(part._id, part);
    for (const id of ids) {
      const part = found.get(id);
      if (part === undefined) return undefined;
      pieces.push(part.segment.buffer);
      if (!part.isEnd) continue;
      segments.push(pieces.length === 1 ? (pieces[0] as Bytes) : Buffer.concat(pieces));
      pieces = [];
    }
  }
  return segments;
}
