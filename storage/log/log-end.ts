import type { Revision } from '../backend.js';
import { divergedError } from '../errors.js';
import { Signal } from '../signal.js';

/** A place in the log: the end of a commit. */
export interface LogPosition {
  readonly revision: Revision;
  /** The id of the commit that ends there, if it is known. */
  readonly commitId: string | undefined;
}

/**
 * The end of the log as this server knows it. A log only grows, so an end below the known one, or another commit there,
 * is another log: the database was set back or replaced. Then what was read before is void, and `logId` changes.
 */
export class LogEnd {
  readonly changed = new Signal();
  /** The compacted revision, as far as known. */
  point: Revision = 0;
  #known: LogPosition = { revision: 0, commitId: undefined };
  #logId = 0;
  readonly #onDiverged: () => void;

  constructor(onDiverged: () => void = () => undefined) {
    this.#onDiverged = onDiverged;
  }

  get logId(): number {
    return this.#logId;
  }

  get revision(): Revision {
    return this.#known.revision;
  }

  /** True if the log has a change after `position`. */
  isBeyond(position: Revision): boolean {
    return this.#known.revision > position;
  }

  /** The log has this place. */
  advance(position: LogPosition): void {
    const { revision, commitId } = this.#known;
    if (position.revision < revision || (position.revision === revision && commitId !== undefined)) return;
    this.#known = position;
    if (position.revision > revision) this.changed.notify();
  }

  /**
   * Call this before the end of the log is read, and the result with what was found: it must be at or after what is
   * known now. Throws `diverged` if it is not, or if another call found that out meanwhile.
   */
  beginRead(): (end: LogPosition) => void {
    const [known, logId] = [this.#known, this.#logId];
    return (end) => {
      if (logId !== this.#logId) throw divergedError(known.revision);
      if (isLater(end, known)) return this.advance(end);
      this.diverge();
      this.advance(end);
      throw divergedError(known.revision);
    };
  }

  /**
   * The log is another one than was read. Nothing is known of it. `read` is the `logId` with which it was read: if
   * another call found that out meanwhile, what was read since then stays.
   */
  diverge(read = this.#logId): void {
    if (read !== this.#logId) return;
    this.#logId++;
    this.#known = { revision: 0, commitId: undefined };
    this.point = 0;
    this.#onDiverged();
    this.changed.notify();
  }
}

/** Whether a log that has reached `known` can be at `end`. */
function isLater(end: LogPosition, known: LogPosition): boolean {
  if (end.revision !== known.revision) return end.revision > known.revision;
  return end.commitId === undefined || known.commitId === undefined || end.commitId === known.commitId;
}
