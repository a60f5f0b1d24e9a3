import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type MappedFile, mapFile } from '../../pkg/files/mapped-file.js';
import type { Definitions } from '../state/definitions.js';
import { Residence } from '../state/residency.js';
import type { ResourceDefinition } from '../state/resource.js';
import {
  END_LENGTH,
  type FileLayout,
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
export type Tables = ReadonlyMap<string, Table>;

/** Writes a new file that nobody else may read. `write` writes the tables. If it throws, the file is not complete. */
export async function writeTables(path: string, write: (sink: Sink) => Promise<FileLayout>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const sink = new Sink(file);
    const layout = Buffer.from(JSON.stringify(await write(sink)));
    const end = Buffer.alloc(8);
    end.writeUInt32LE(layout.length, 0);
    end.writeUInt32LE(crc32(layout), 4);
    for (const bytes of [layout, end, MAGIC]) sink.add(bytes);
    await sink.finish();
  } finally {
    await file.close();
  }
}

/** Opens a file for as long as something refers to one of its tables. Throws if it is damaged. Resources that are not defined are left out. */
export async function openTables(path: string, definitions: Definitions): Promise<Tables> {
  const file = await mapFile(path);
  const reader = new Reader(file);
  const tables = new Map<string, Table>();
  for (const [resource, layout] of Object.entries(layoutOf(file, path))) {
    const definition = definitions.plain(resource);
    if (definition !== undefined) tables.set(resource, reader.table(definition, layout));
  }
  return tables;
}

function layoutOf(file: MappedFile, path: string): FileLayout {
  const damaged = (): Error => new Error(`${path} is damaged or incomplete`);
  if (file.size < END_LENGTH) throw damaged();
  const end = Buffer.from(file.view(file.size - END_LENGTH, END_LENGTH));
  const length = end.readUInt32LE(0);
  if (!end.subarray(8).equals(MAGIC) || length > file.size - END_LENGTH) throw damaged();
  const layout = Buffer.from(file.view(file.size - END_LENGTH - length, length));
  if (crc32(layout) !== end.readUInt32LE(4)) throw damaged();
  return JSON.parse(layout.toString()) as FileLayout;
}

/** A file up to this size is one view, because each view takes some hundred bytes. */
const ONE_VIEW = 2 ** 31;

/** Makes the columns of tables from a file. */
class Reader {
  readonly #file: MappedFile;
  readonly #whole: ArrayBuffer | undefined;
  readonly #windows: readonly Buffer[];
  readonly #pages: Pages;

  constructor(file: MappedFile) {
    this.#file = file;
    this.#pages = new Pages(file);
    this.#whole = file.size < ONE_VIEW ? file.view(0, file.size) : undefined;
    const count = Math.ceil(file.size / WINDOW);
    this.#windows = Array.from({ length: count }, (_, i) => this.#window(i * WINDOW));
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
      records: new Records(places, this.#windows, this.#pages),
      slots: this.#words(layout.slots),
      indexes: new Map(Object.entries(layout.indexes).map(([name, index]) => [name, this.#index(index)])),
    };
    return new Table(definition, columns, new Residence(() => this.#ensureColumns(layout)));
  }

  /** Everything but objects and attributes, because look-ups read it at many places. */
  #ensureColumns({ valueStarts, slots, indexes }: TableLayout): Promise<void> {
    // The indexes are written before the columns, and the hash table is the last of them.
    const start = Math.min(valueStarts[0], ...Object.values(indexes).map(({ tuples }) => tuples.starts[0]));
    return this.#file.ensure(start, slots[0] + slots[1] - start);
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
