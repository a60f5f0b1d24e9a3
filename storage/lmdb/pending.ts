import type { Batch, Revision } from '../backend.js';
import { Result } from '../log/overlay.js';
import { weightOf } from '../log/weight.js';
import type { MaterializedCommits } from './bulk.js';
import { roomForObjects } from './room.js';

/** The most bytes of values that are kept. Other changes are read from the log. */
const MOST = 16 * 1024 * 1024;
/** A part takes no more commits when its values have this many bytes. */
const PART = 512 * 1024;

interface PendingPart extends MaterializedCommits {
  /** The revision that it begins after. */
  readonly from: Revision;
}

type Growing = { -readonly [Name in keyof PendingPart]: PendingPart[Name] } & { weight: number };

/**
 * The commits of this process that are not in the objects yet. To read them from the log again would take more than to
 * write them.
 */
export class PendingChanges {
  readonly #parts: Growing[] = [];
  #weight = 0;

  add(after: Revision, { changes, counters }: Batch): void {
    // An append also has the earlier versions and the parsed objects. They are not needed here, and take memory.
    const puts = changes.map(({ key, revision, value }) => ({ key, revision, ...(value && { value }) }));
    const [end, weight] = [after + changes.length, weightOf(puts)];
    const last = this.#parts.at(-1);
    if (this.#weight + weight > MOST || (last !== undefined && last.through !== after)) return;
    const isFull = last === undefined || last.weight >= PART;
    const part = isFull ? { from: after, through: after, result: new Result(), pendingBytes: 0, weight: 0 } : last;
    if (isFull) this.#parts.push(part);
    part.result.add([{ end, changes: puts, counters }]);
    part.through = end;
    part.pendingBytes += roomForObjects(puts);
    part.weight += weight;
    this.#weight += weight;
  }

  /** Takes the part that begins after a revision, if it is there. Earlier ones are in the objects already. */
  take(after: Revision): PendingPart | undefined {
    for (let part = this.#parts[0]; part !== undefined && part.from <= after; part = this.#parts[0]) {
      this.#parts.shift();
      this.#weight -= part.weight;
      if (part.from === after) return part;
    }
    return undefined;
  }
}
