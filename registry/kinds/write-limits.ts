import type { Budget } from '../../pkg/http/flowcontrol/budget.js';
import type { DiskReserve } from '../../storage/reserve.js';

/** What bounds the bytes that callers write. */
export interface WriteLimits {
  /** The bytes that each user may write. Absent: as many as they like. */
  readonly budget?: Pick<Budget, 'take' | 'give'> | undefined;
  /** The disk of the store. Absent: nobody looks at it. */
  readonly disk?: Pick<DiskReserve, 'shortage' | 'shortageForAll' | 'wrote'> | undefined;
  /** The most bytes of an object with its metadata. Absent: as many as the store takes. */
  readonly objectBytes?: number | undefined;
  /** The most bytes of all personal objects of a user. Absent: as many as they like. */
  readonly personalBytes?: number | undefined;
  /** Called for each write that is refused, with the reason. */
  readonly onRefused?: ((reason: WriteRefusal) => void) | undefined;
}

type WriteRefusal = 'written-bytes' | 'disk-reserve' | 'personal-bytes';
