import type { Status } from '../../../pkg/kube/status/status.js';
import type { Bytes, Revision } from '../../../storage/backend.js';
import type { Delivered } from '../../../storage/cacher/watch-step.js';
import type { Entry } from '../../../storage/state/entry.js';

/**
 * Encodes the events of one watch: as JSON objects, each followed by a newline, or in protobuf, each after its length.
 */
export interface FrameEncoder {
  event(delivery: Delivered): Buffer;
  object(type: string, value: Bytes): Buffer;
  /**
   * The frame of a large object with another revision, made in steps. It is what `event` and `object` give.
   * `undefined`: these take no time for it. Absent: they take no time for any object.
   */
  readonly ahead?: ((type: string, entry: Entry, revision: Revision) => Promise<Buffer> | undefined) | undefined;
  /** `initial` marks the end of the objects that existed at the start of the watch. */
  bookmark(revision: Revision, initial: boolean): Buffer;
  /** A Status is never transformed. */
  error(status: Status): Buffer;
}

/** The object of an event: as it is, or as it was before it was deleted or left the selection. */
export function entryOf({ type, event }: Delivered): Entry {
  const { current, previous, revision } = event;
  const entry = type === 'DELETED' ? previous : (current ?? previous);
  if (entry === undefined) throw new Error(`event ${revision} has no object`);
  return entry;
}
