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

/** The tables of a file by resource. It is JSON at the end of the file. */
export type FileLayout = Readonly<Record<string, TableLayout>>;

/** The end of a file: the length of the layout (4 bytes), its CRC-32 (4 bytes), and these 8 bytes. */
export const MAGIC = Buffer.from('objects1', 'latin1');
export const END_LENGTH = 8 + MAGIC.length;
