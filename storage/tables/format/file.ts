import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { type MappedFile, mapFile } from '../../../pkg/system/files/mapped-file.js';
import { DamageError, unreadable } from '../../damage.js';
import type { Definitions } from '../../state/definitions.js';
import { ResidencyCheck } from '../../state/residency.js';
import type { ResourceDefinition } from '../../state/resource.js';
import { Checksums } from './checksums.js';
import {
  END_LENGTH,
  type FileLayout,
  type FileTrailer,
  type IndexLayout,
  MAGIC,
  type Span,
  type TableLayout,
  type TextLayout,
} from './layout.js';
import { Pages } from './pages.js';
import { Records, WINDOW } from './records.js';
import { Sink } from './sink.js';
import { Table } from './table.js';
import { TableIndex } from './table-index.js';
import { TextColumn } from './text-column.js';

/** The tables of a file by resource. */
export type FileTables = ReadonlyMap<string, Table>;

/**
 * Writes a new file that nobody else may read. `write` writes the tables. If it throws, or there is no room, the file
 * is not complete.
 */
export async function writeTables(
  path: string,
  write: (sink: Sink) => Promise<FileLayout>,
  ensureRoom?: (bytes: number) => void,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const sink = new Sink(file, ensureRoom);
    const tables = await write(sink);
    sink.align(8);
    const { offset } = sink;
    const sums = await sink.sums();
    sink.add(sums);
    const trailer: FileTrailer = { name: basename(path), tables, sums: [offset, sums.length], check: crc32(sums) };
    const text = Buffer.from(JSON.stringify(trailer));
    const end = Buffer.alloc(8);
    end.writeUInt32LE(text.length, 0);
    end.writeUInt32LE(crc32(text), 4);
    for (const bytes of [text, end, MAGIC]) sink.add(bytes);
    await sink.finish();
  } finally {
    await file.close();
  }
}

/** Tables of a file, and the checksums of its bytes. */
export interface OpenedFile {
  readonly tables: FileTables;
  readonly checksums: Checksums;
}

/**
 * Opens a file for as long as something refers to one of its tables. Throws if what look-ups read of it is damaged;
 * objects are checked when they are read. Resources that are not defined are left out.
 */
export async function openTables(
  path: string,
  definitions: Definitions,
  onDamage: (error: DamageError) => void = () => undefined,
): Promise<OpenedFile> {
  const file = await mapFile(path);
  const trailer = trailerOf(file, path);
  await file.load(...trailer.sums).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const reader = new Reader(file, path, trailer, onDamage);
  const tables = new Map<string, Table>();
  for (const [resource, layout] of Object.entries(trailer.tables)) {
    const definition = definitions.plain(resource);
    if (definition === undefined) continue;
    file.adviseNormal(...columnsOf(layout));
    await reader.ensureColumns(layout);
    tables.set(resource, reader.table(definition, layout));
  }
  return { tables, checksums: reader.checksums };
}

function trailerOf(file: MappedFile, path: string): FileTrailer {
  const damaged = (): DamageError => new DamageError(path, 'it has no end');
  if (file.size < END_LENGTH) throw damaged();
  const end = Buffer.from(file.view(file.size - END_LENGTH, END_LENGTH));
  const length = end.readUInt32LE(0);
  if (!end.subarray(8).equals(MAGIC) || length > file.size - END_LENGTH) throw damaged();
  const text = Buffer.from(file.view(file.size - END_LENGTH - length, length));
  if (crc32(text) !== end.readUInt32LE(4)) throw damaged();
  const trailer = JSON.parse(text.toString()) as FileTrailer;
  if (trailer.name !== basename(path)) throw new DamageError(path, `it is ${trailer.name}`);
  return trailer;
}

/** A file up to this size is one view, because each view takes some hundred bytes. */
const ONE_VIEW = 2 ** 31;

/** Makes the columns of tables from a file. */
class Reader {
  readonly #file: MappedFile;
  readonly #whole: ArrayBuffer | undefined;
  readonly #windows: readonly Buffer[];
  readonly #pages: Pages;
  readonly checksums: Checksums;

  constructor(file: MappedFile, path: string, { sums, check }: FileTrailer, onDamage: (error: DamageError) => void) {
    this.#file = file;
    this.#whole = file.size < ONE_VIEW ? file.view(0, file.size) : undefined;
    const count = Math.ceil(file.size / WINDOW);
    this.#windows = Array.from({ length: count }, (_, i) => this.#window(i * WINDOW));
    const words = this.#words(sums);
    if (crc32(new Uint8Array(words.buffer, words.byteOffset, words.byteLength)) !== check)
      throw new DamageError(path, 'its checksums are not those that were written');
    const bytesAt = (offset: number, length: number): Uint8Array =>
      (this.#windows[Math.floor(offset / WINDOW)] as Buffer).subarray(offset % WINDOW, (offset % WINDOW) + length);
    this.checksums = new Checksums({ path, file, length: sums[0], sums: words, bytesAt, onDamage });
    this.#pages = new Pages(file, this.checksums);
  }

  /** Each view of a file makes V8 collect garbage earlier, so there are as few as possible. */
  #window(offset: number): Buffer {
    const length = Math.min(WINDOW, this.#file.size - offset);
    if (this.#whole !== undefined) return Buffer.from(this.#whole, offset, length);
    return Buffer.from(this.#file.view(offset, length));
  }

  table(definition: ResourceDefinition, layout: TableLayout): Table {
    const places = {
      valueStarts: this.#floats(layout.valueStarts),
      valueLengths: this.#words(layout.valueLengths),
      attributeStarts: this.#floats(layout.attributeStarts),
      revisions: this.#floats(layout.revisions),
    };
    const columns = {
      keys: this.#texts(layout.keys),
      records: new Records(places, { windows: this.#windows, pages: this.#pages, checksums: this.checksums }),
      slots: this.#words(layout.slots),
      indexes: new Map(Object.entries(layout.indexes).map(([name, index]) => [name, this.#index(index)])),
    };
    const residence = new ResidencyCheck(() => this.ensureColumns(layout));
    return new Table(definition, { columns, residence, checksums: this.checksums, span: columnsOf(layout) });
  }

  /** Brings what look-ups read into the page cache, and checks what came from the disk. */
  async ensureColumns(layout: TableLayout): Promise<void> {
    const span = columnsOf(layout);
    // The check below takes its time. Who reads the columns meanwhile first checks what was missing.
    const missing = await this.#file.ensure(...span).catch((error: unknown) => {
      throw this.checksums.unreadable(error);
    });
    for (const range of missing) this.checksums.renew(...range);
    await this.checksums.checkAll(...span).catch((error: unknown) => {
      // From now on, who reads them checks them first.
      this.checksums.renew(...span);
      throw error;
    });
  }

  #index({ tuples, firstRows, objects }: IndexLayout): TableIndex {
    return new TableIndex(this.#texts(tuples), this.#words(firstRows), this.#words(objects));
  }

  #texts({ isWide, starts, units }: TextLayout): TextColumn {
    const [buffer, offset] = this.#view(units);
    const texts = isWide
      ? new Uint16Array(buffer, offset, units[1] / Uint16Array.BYTES_PER_ELEMENT)
      : new Uint8Array(buffer, offset, units[1]);
    return new TextColumn(this.#words(starts), texts);
  }

  #words(span: Span): Uint32Array {
    const [buffer, offset] = this.#view(span);
    return new Uint32Array(buffer, offset, span[1] / Uint32Array.BYTES_PER_ELEMENT);
  }

  #floats(span: Span): Float64Array {
    const [buffer, offset] = this.#view(span);
    return new Float64Array(buffer, offset, span[1] / Float64Array.BYTES_PER_ELEMENT);
  }

  #view([offset, length]: Span): readonly [ArrayBuffer, number] {
    return this.#whole === undefined ? [this.#file.view(offset, length), 0] : [this.#whole, offset];
  }
}

/** Where everything of a table is but objects and most attributes. Look-ups read it at many places. */
function columnsOf({ valueStarts, slots, indexes }: TableLayout): Span {
  // The indexes are written before the columns, and the hash table is the last of them.
  const start = Math.min(valueStarts[0], ...Object.values(indexes).map(({ tuples }) => tuples.starts[0]));
  return [start, slots[0] + slots[1] - start];
}
