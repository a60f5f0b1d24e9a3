/**
 * Texts of a table, one after another. The units are bytes if all texts are ASCII, and otherwise UTF-16, so that they
 * sort as texts of JavaScript do.
 */
export class TextColumn {
  /** How many texts there are. */
  readonly length: number;
  /** Where each text begins, and where the last one ends. */
  readonly starts: Uint32Array;
  readonly units: Uint8Array | Uint16Array;
  readonly #bytes: Buffer;
  readonly #isWide: boolean;

  constructor(starts: Uint32Array, units: Uint8Array | Uint16Array) {
    this.length = starts.length - 1;
    this.starts = starts;
    this.units = units;
    this.#bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
    this.#isWide = units instanceof Uint16Array;
  }

  get(index: number): string {
    const [start, end] = [this.starts[index] as number, this.starts[index + 1] as number];
    return this.#isWide
      ? this.#bytes.toString('utf16le', 2 * start, 2 * end)
      : this.#bytes.toString('latin1', start, end);
  }

  /** Whether the text is the same as the rest of another one behind its first `skipped` units. */
  equals(index: number, text: string, skipped: number): boolean {
    const [start, end] = [this.starts[index] as number, this.starts[index + 1] as number];
    if (end - start !== text.length - skipped) return false;
    const { units } = this;
    for (let i = start, j = skipped; i < end; i++, j++) if (units[i] !== text.charCodeAt(j)) return false;
    return true;
  }

  /** Whether the text is before the rest of another one behind its first `skipped` units. */
  isBefore(index: number, text: string, skipped: number): boolean {
    const [start, end] = [this.starts[index] as number, this.starts[index + 1] as number];
    const { units } = this;
    const common = Math.min(end, start + text.length - skipped);
    for (let i = start, j = skipped; i < common; i++, j++) {
      const difference = (units[i] as number) - text.charCodeAt(j);
      if (difference !== 0) return difference < 0;
    }
    return end - start < text.length - skipped;
  }

  /** The first text, from `from` on, that is not before the rest of another one. Fast if it is near. */
  search(text: string, skipped: number, from = 0, to = this.length): number {
    let step = 1;
    let low = from;
    while (low + step < to && this.isBefore(low + step, text, skipped)) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, to);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBefore(middle, text, skipped)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
