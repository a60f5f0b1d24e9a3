import { Yielder } from '../../../pkg/system/yielding/yielding.js';
import type { Revision } from '../../backend.js';
import { GrowingBytes, GrowingNumbers } from './growing.js';
import { hashOf, OBJECT_MASK, slotsFor, tagOf } from './hash.js';
import type { IndexLayout, Span, TableLayout, TextLayout } from './layout.js';
import { SEPARATOR, WINDOW } from './records.js';
import type { Sink } from './sink.js';

/** Bytes of attributes that are written together. */
const ATTRIBUTE_BLOCK = 128 * 1024;

/**
 * Writes one table into a file. Objects are added in the order of their keys, and then the rows of each index in their
 * order.
 */
export class TableBuilder {
  readonly #sink: Sink;
  readonly #keys = new TextBuilder();
  readonly #valueStarts = new GrowingNumbers(Float64Array);
  readonly #valueLengths = new GrowingNumbers(Uint32Array);
  readonly #attributeStarts = new GrowingNumbers(Float64Array);
  /** Attributes that are not written yet. */
  #attributes: Uint8Array[] = [];
  #attributeBytes = 0;
  readonly #revisions = new GrowingNumbers(Float64Array);
  readonly #hashes = new GrowingNumbers(Uint32Array);
  readonly #indexes: Record<string, IndexLayout> = {};
  #count = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** How many objects were added. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds an object with its key behind the resource and a slash. Returns the space for its value. The attributes are
   * kept for a while.
   */
  add(key: string, revision: Revision, attributes: Uint8Array, valueLength: number): Buffer {
    const length = valueLength + 1;
    if (crossesWindow(this.#sink, length)) this.#sink.align(WINDOW);
    this.#valueStarts.push(this.#sink.offset);
    this.#valueLengths.push(valueLength);
    this.#revisions.push(revision);
    this.#hashes.push(hashOf(key, 0));
    this.#keys.add(key);
    this.#count++;
    const buffer = this.#sink.allocate(length);
    buffer[valueLength] = SEPARATOR;
    this.#attributes.push(attributes);
    this.#attributeBytes += attributes.length;
    if (this.#attributeBytes >= ATTRIBUTE_BLOCK) this.#addAttributes();
    return buffer;
  }

  /** Attributes are together, so that a reader of attributes alone reads few pages. */
  #addAttributes(): void {
    for (const attributes of this.#attributes) {
      if (crossesWindow(this.#sink, attributes.length)) this.#sink.align(WINDOW);
      this.#attributeStarts.push(this.#sink.offset);
      this.#sink.add(attributes);
    }
    this.#attributes = [];
    this.#attributeBytes = 0;
  }

  /** Adds an index. Tuples come in order, each once, with the numbers of its objects in order. */
  async addIndex(name: string, rows: Iterable<readonly [tuple: string, objects: readonly number[]]>): Promise<void> {
    const yielder = new Yielder();
    const tuples = new TextBuilder();
    const firstRows = new GrowingNumbers(Uint32Array);
    const objects = new GrowingNumbers(Uint32Array);
    let row = 0;
    for (const [tuple, numbers] of rows) {
      tuples.add(tuple);
      firstRows.push(row);
      for (const number of numbers) objects.push(number);
      row += numbers.length;
      if (yielder.isDue) await yielder.yield();
    }
    firstRows.push(row);
    if (row === 0) return;
    this.#indexes[name] = {
      tuples: await tuples.write(this.#sink),
      firstRows: await this.#column(firstRows.pieces()),
      objects: await this.#column(objects.pieces()),
    };
  }

  /** Writes what remains. */
  async finish(): Promise<TableLayout> {
    this.#addAttributes();
    return {
      valueStarts: await this.#column(this.#valueStarts.pieces()),
      valueLengths: await this.#column(this.#valueLengths.pieces()),
      attributeStarts: await this.#column(this.#attributeStarts.pieces()),
      revisions: await this.#column(this.#revisions.pieces()),
      keys: await this.#keys.write(this.#sink),
      slots: await this.#column([await slotsOf(this.#hashes.pieces(), this.#count)]),
      indexes: this.#indexes,
    };
  }

  #column(pieces: readonly Uint8Array[]): Promise<Span> {
    return writeColumn(this.#sink, pieces);
  }
}

function crossesWindow({ offset }: Sink, length: number): boolean {
  return (offset % WINDOW) + length > WINDOW;
}

async function writeColumn(sink: Sink, pieces: readonly Uint8Array[]): Promise<Span> {
  sink.align(8);
  const { offset } = sink;
  for (const piece of pieces) {
    sink.add(piece);
    if (sink.isFull) await sink.drain();
  }
  return [offset, sink.offset - offset];
}

async function slotsOf(hashes: readonly Uint8Array[], count: number): Promise<Uint8Array> {
  const yielder = new Yielder();
  const slots = new Uint32Array(slotsFor(count));
  const mask = slots.length - 1;
  let number = 0;
  for (const { buffer, byteOffset, byteLength } of hashes) {
    for (const hash of new Uint32Array(buffer, byteOffset, byteLength / 4)) {
      let at = hash & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = (tagOf(hash) | (++number & OBJECT_MASK)) >>> 0;
    }
    if (yielder.isDue) await yielder.yield();
  }
  return new Uint8Array(slots.buffer);
}

/** Texts that are added one by one. They are bytes until the first text that is not ASCII. */
class TextBuilder {
  readonly #starts = new GrowingNumbers(Uint32Array);
  #units = new GrowingBytes();
  #isWide = false;
  #length = 0;

  add(text: string): void {
    this.#starts.push(this.#length);
    this.#length += text.length;
    if (!this.#isWide && !isPlain(text)) this.#widen();
    const bytes = this.#units.allocate(this.#isWide ? 2 * text.length : text.length);
    if (this.#isWide) writeWide(bytes, text);
    else for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  }

  async write(sink: Sink): Promise<TextLayout> {
    this.#starts.push(this.#length);
    const starts = await writeColumn(sink, this.#starts.pieces());
    return { isWide: this.#isWide, starts, units: await writeColumn(sink, this.#units.pieces()) };
  }

  #widen(): void {
    const narrow = this.#units;
    this.#units = new GrowingBytes();
    this.#isWide = true;
    for (const piece of narrow.pieces()) {
      const wide = this.#units.allocate(2 * piece.length);
      for (const [i, unit] of piece.entries()) {
        wide[2 * i] = unit;
        wide[2 * i + 1] = 0;
      }
    }
  }
}

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

function writeWide(bytes: Uint8Array, text: string): void {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i] = unit & 0xff;
    bytes[2 * i + 1] = unit >>> 8;
  }
}
