/** A range of bytes in a file: its offset and its length. */
export type Span = readonly [offset: number, length: number];

/** Texts: where each begins, and their units. */
export interface TextLayout {
  readonly isWide: boolean;
  readonly starts: Span;
  readonly units: Span;
}

export interface IndexLayout {
  readonly tuples: TextLayout;
  readonly firstRows: Span;
  readonly objects: Span;
}

/** Where the columns of a table are in its file. */
export interface TableLayout {
  readonly valueStarts: Span;
  readonly valueLengths: Span;
  readonly attributeStarts: Span;
  readonly revisions: Span;
  readonly keys: TextLayout;
  readonly slots: Span;
  readonly indexes: Readonly<Record<string, IndexLayout>>;
}

/** The tables of a file by resource. */
export type FileLayout = Readonly<Record<string, TableLayout>>;

/** What is at the end of a file, as JSON. */
export interface FileTrailer {
  /** The name that the file was made with, so that no other file is taken for it. */
  readonly name: string;
  readonly tables: FileLayout;
  /** The checksums of the pages before them (sums.ts), and their CRC-32. */
  readonly sums: Span;
  readonly check: number;
}

/** The end of a file: the length of the trailer (4 bytes), its CRC-32 (4 bytes), and these 8 bytes. */
export const MAGIC = Buffer.from('objects2', 'latin1');
export const END_LENGTH = 8 + MAGIC.length;
