import type { Batch, Bytes, Change, Commit, Put, Revision, Stored } from '../backend.js';
import type { Key } from '../key.js';

/**
 * The log stores a commit in segments. A segment has the length of its header (4 bytes), the header as JSON, and the
 * bytes of its changes. LMDB puts a large value on adjacent pages, and many adjacent free pages are rare in an old
 * file, so its segments have about 32 KiB.
 */
const SEGMENT = 32 * 1024;

/**
 * One change: its key, the length of its value (-1 if deleted), and the revision (0 if there is none) and length of the
 * previous value.
 */
type Entry = readonly [key: Key, length: number, previousRevision: Revision, previousLength: number];

export interface Header {
  /** The revision of the commit's first change. */
  readonly first: Revision;
  /** The revision of this segment's first change. */
  readonly from: Revision;
  /** The time of the commit in milliseconds. */
  readonly at: number;
  readonly last: boolean;
  readonly changes: readonly Entry[];
  /** The id of the commit. In the first segment only, and not in those of earlier versions. */
  readonly commit?: string;
  /** In the first segment only. */
  readonly counters?: readonly (readonly [string, number])[];
}

/** `size` is the least number of bytes of a segment that is not the last one. */
export function* encodeSegments(
  after: Revision,
  batch: Batch,
  at: number,
  size = SEGMENT,
): Generator<Bytes, void, undefined> {
  const groups = groupsOf(batch.changes, size);
  for (const [i, changes] of groups.entries()) {
    const header: Header = {
      first: after + 1,
      from: changes[0]?.revision ?? after + 1,
      at,
      last: i === groups.length - 1,
      changes: changes.map(entryOf),
      ...(i === 0 && { commit: batch.commitId }),
      ...(i === 0 && batch.counters.size > 0 && { counters: [...batch.counters] }),
    };
    yield encodeSegment(header, changes);
  }
}

/** The whole commit as one segment, for a store that keeps the time of a commit beside it. */
export function encodeWhole(after: Revision, { changes, counters }: Batch): Bytes {
  const header: Header = {
    first: after + 1,
    from: after + 1,
    at: 0,
    last: true,
    changes: changes.map(entryOf),
    counters: [...counters],
  };
  return encodeSegment(header, changes);
}

function groupsOf(changes: readonly Put[], minBytes: number): readonly (readonly Put[])[] {
  const groups: Put[][] = [];
  let size = minBytes;
  for (const change of changes) {
    if (size >= minBytes) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(change);
    size += change.key.length + (change.value?.byteLength ?? 0) + (change.previous?.value.byteLength ?? 0);
  }
  return groups;
}

function entryOf({ key, value, previous }: Put): Entry {
  return [key, value?.byteLength ?? -1, previous?.revision ?? 0, previous?.value.byteLength ?? 0];
}

function encodeSegment(header: Header, changes: readonly Put[]): Bytes {
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(head.byteLength);
  const parts: Bytes[] = [length, head];
  for (const { value, previous } of changes) {
    if (value !== undefined) parts.push(value);
    if (previous !== undefined) parts.push(previous.value);
  }
  return Buffer.concat(parts);
}

export function decodeHeader(bytes: Bytes): Header {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return JSON.parse(buffer.toString('utf8', 4, 4 + buffer.readUInt32LE(0))) as Header;
}

/** What a reader of the log needs. */
export interface DecodeOptions {
  /** Whether the changes have what they replace. To copy it takes time. */
  readonly hasPrevious?: boolean;
}

/** The changes after `after`. Their values own their memory. */
export function decodeChanges(
  bytes: Bytes,
  header: Header,
  after: Revision,
  { hasPrevious = true }: DecodeOptions = {},
): readonly Change[] {
  const changes: Change[] = [];
  let offset = 4 + Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32LE(0);
  header.changes.forEach(([key, length, previousRevision, previousLength], i) => {
    const start = offset;
    offset += Math.max(length, 0) + previousLength;
    const revision = header.from + i;
    if (revision <= after) return;
    const value = length < 0 ? undefined : own(bytes, start, length);
    const isWanted = hasPrevious && previousRevision !== 0;
    const previous = isWanted ? previousOf(key, previousRevision, offset - previousLength) : undefined;
    changes.push({ key, revision, ...(value && { value }), ...(previous && { previous }) });
  });
  return changes;

  function previousOf(key: Key, revision: Revision, start: number): Stored {
    const length = offset - start;
    return { key, revision, value: own(bytes, start, length) };
  }
}

/** The commit of these segments, with its changes after `after`. */
export function commitOf(end: Revision, segments: readonly Bytes[], after: Revision, wish?: DecodeOptions): Commit {
  const headers = segments.map(decodeHeader);
  const id = headers[0]?.commit;
  return {
    end,
    ...(id !== undefined && { id }),
    changes: segments.flatMap((bytes, i) => decodeChanges(bytes, headers[i] as Header, after, wish)),
    counters: new Map(headers[0]?.counters),
  };
}

function own(bytes: Bytes, start: number, length: number): Bytes {
  const copy = Buffer.allocUnsafeSlow(length);
  copy.set(bytes.subarray(start, start + length));
  return copy;
}
