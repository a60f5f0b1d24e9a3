import type { Status } from '../../pkg/status/status.js';
import type { Bytes, Revision } from '../../storage/backend.js';
import type { Delivered } from '../../storage/cacher/watch-step.js';

/** Encodes the events of one watch: as JSON objects, each followed by a newline, or in protobuf, each after its length. */
export interface FrameEncoder {
  event(delivery: Delivered): Buffer;
  object(type: string, value: Bytes): Buffer;
  /** `initial` marks the end of the objects that existed at the start of the watch. */
  bookmark(revision: Revision, initial: boolean): Buffer;
  /** A Status is never transformed. */
  error(status: Status): Buffer;
}
