import { Yielder } from '../../../pkg/system/yielding/yielding.js';
import type { Batch, Bytes, Put, Revision } from '../../backend.js';
import { StorageError } from '../../errors.js';
import { encodeSegments, encodeWhole } from '../../log/segment.js';
import { partsOf, type SegmentPart } from '../log/parts.js';
import { sizeOf } from './recent.js';

/** A BSON document may have 16 MiB; the difference is for the fields beside the body. */
const MAX_SIZE = 15 * 1024 * 1024;
/** The document of the log has a commit of this many bytes. A larger one is written in parts before. */
const MOST_WHOLE = 1024 * 1024;
/** The bytes of changes that have one segment of such a commit. */
const SEGMENT = 2 * 1024 * 1024;

export interface Prepared {
  /** The id of the server that commits. */
  readonly server: string;
  readonly after: Revision;
  readonly batch: Batch;
  /** The changes and counters, if they fit in the document of the log. */
  readonly segment?: Bytes | undefined;
  /** Otherwise, the parts that are written before the commit. */
  readonly parts: readonly SegmentPart[];
}

/** Rejects with `rejected` if an object is too long. Others get their turns while a large batch is prepared. */
export async function prepare(server: string, after: Revision, batch: Batch): Promise<Prepared> {
  const { changes } = batch;
  let bytes = 0;
  const yielder = new Yielder();
  for (const [i, put] of changes.entries()) {
    if (put.revision !== after + i + 1) {
      throw new Error(`The change of ${put.key} has the revision ${put.revision}, not ${after + i + 1}.`);
    }
    refuseTooLong(put);
    bytes += put.key.length + sizeOf(put);
    if (yielder.isDue) await yielder.yield();
  }
  if (bytes <= MOST_WHOLE) return { server, after, batch, segment: encodeWhole(after, batch), parts: [] };
  const parts: SegmentPart[] = [];
  for (const segment of encodeSegments(after, batch, 0, SEGMENT)) {
    parts.push(...partsOf(segment));
    if (yielder.isDue) await yielder.yield();
  }
  return { server, after, batch, parts };
}

function refuseTooLong(put: Put): void {
  const size = put.value?.byteLength ?? 0;
  if (size <= MAX_SIZE) return;
  throw new StorageError(
    'rejected',
    `${put.key} takes ${size} bytes, but MongoDB can store at most ${MAX_SIZE} for one object.`,
    {
      key: put.key,
    },
  );
}
