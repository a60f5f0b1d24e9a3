import type { Batch, Bytes, Put, Revision } from '../backend.js';
import type { Key } from '../key.js';

/**
 * A batch as one piece of memory, which is sent much faster than many objects: the length of the head (4 bytes), the
 * head as JSON, and the bytes of the objects one after another.
 */
interface Head {
  readonly commit: string;
  readonly parent?: string | undefined;
  readonly counters: readonly (readonly [string, number])[];
  readonly changes: readonly Sent[];
}

/**
 * One change: its key, the length of its value (-1 if deleted), and the revision (0 if there is none) and length of the
 * previous value.
 */
type Sent = readonly [key: Key, length: number, previousRevision: Revision, previousLength: number];

export function encodeBatch({ commitId: commit, parent, counters, changes }: Batch): Bytes {
  const head: Head = { commit, parent, counters: [...counters], changes: changes.map(sentOf) };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(text.byteLength);
  const parts: Bytes[] = [length, text];
  for (const { value, previous } of changes) {
    if (value !== undefined) parts.push(value);
    if (previous !== undefined) parts.push(previous.value);
  }
  return Buffer.concat(parts);
}

/** The values are parts of `bytes`. */
export function decodeBatch(bytes: Bytes, after: Revision): Batch {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 4 + buffer.readUInt32LE(0);
  const { commit, parent, counters, changes } = JSON.parse(buffer.toString('utf8', 4, offset)) as Head;
  const take = (length: number): Bytes => {
    offset += length;
    return buffer.subarray(offset - length, offset);
  };
  return {
    commitId: commit,
    ...(parent !== undefined && { parent }),
    counters: new Map(counters),
    changes: changes.map((message, i) => putOf(message, after + 1 + i, take)),
  };
}

function sentOf({ key, value, previous }: Put): Sent {
  return [key, value?.byteLength ?? -1, previous?.revision ?? 0, previous?.value.byteLength ?? 0];
}

function putOf(
  [key, length, previousRevision, previousLength]: Sent,
  revision: Revision,
  take: (length: number) => Bytes,
): Put {
  const value = length < 0 ? undefined : take(length);
  const previous =
    previousRevision === 0 ? undefined : { key, revision: previousRevision, value: take(previousLength) };
  return { key, revision, ...(value && { value }), ...(previous && { previous }) };
}
