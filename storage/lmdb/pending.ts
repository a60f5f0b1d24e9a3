import type { Batch, Revision } from '../backend.js';
import { Result } from '../log/overlay.js';

/** The most bytes of values that are kept. Other changes are read from the log. */
const MOST = 16 * 1024 * 1024;
/** A part takes no more commits when its values have this many bytes. */
const PART = 512 * 1024;

/** What several neighbouring commits leave. */
export interface Part {
  readonly from: Revision;
  readonly through: Revision;
  readonly result: Result;
}

type Growing = { -readonly [Name in keyof Part]: Part[Name] } & { bytes: number };

/** The commits of this process that are not in the objects yet. To read them from the log again would take more than to write them. */
export class PendingChanges {
  readonly #parts: Growing[] = [];
  #bytes = 0;

  add(after: Revision, { changes, counters }: Batch): void {
    const end = after + changes.length;
    const bytes = changes.reduce((sum, { value }) => sum + (value?.byteLength ?? 0), 0);
    const last = this.#parts.at(-1);
    if (this.#bytes + bytes > MOST || (last !== undefined && last.through !== after)) return;
    const isFull = last === undefined || last.bytes >= PART;
    const part = isFull ? { from: after, through: after, result: new Result(), bytes: 0 } : last;
    if (isFull) this.#parts.push(part);
    // An append also has the earlier versions and the parsed objects. They are not needed here, and take memory.
    part.result.add([
      {
        end,
        changes: changes.map(({ key, revision, value }) => ({ key, revision, ...(value && { value }) })),
        counters,
      },
    ]);
    part.through = end;
    part.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Takes the part that begins after a revision, if it is there. Earlier ones are in the objects already. */
  take(after: Revision): Part | undefined {
    for (let part = this.#parts[0]; part !== undefined && part.from <= after; part = this.#parts[0]) {
      this.#parts.shift();
      this.#bytes -= part.bytes;
      if (part.from === after) return part;
    }
    return undefined;
  }
}
