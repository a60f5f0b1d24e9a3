import type { Stored } from '../backend.js';
import type { Key } from '../key.js';

/** The types of BSON that the fields have: numbers as the driver writes them. */
const DOUBLE = 0x01;
const STRING = 0x02;
const ARRAY = 0x04;
const INT32 = 0x10;
const INT64 = 0x12;

/** A row of an index, which its `_id` tells. */
export interface FoundRow {
  /** The number of its range among those that were read together. */
  readonly part: number;
  readonly id: Buffer;
  readonly rowKey: string;
  readonly key: string;
}

/** An object with the `_id`s of its rows, as an array of BSON. */
export interface RowedObject {
  readonly stored: Stored;
  readonly rows: Buffer | undefined;
}

/**
 * An object, read from the bytes of its document, which has only the fields `_id`, `revision` and `body`. The driver would make a text of the body, from
 * which its bytes would be made again: a load of many objects takes a third of the time without.
 */
export function storedOfBytes(document: Buffer): Stored {
  return storedOf(fieldsOf(document));
}

/** The same with the field `index`. */
export function rowedOfBytes(document: Buffer): RowedObject {
  const fields = fieldsOf(document);
  const rows = fields.get('index');
  return { stored: storedOf(fields), rows: Buffer.isBuffer(rows) ? rows : undefined };
}

/** A row, read from the bytes of its `_id` and `part`: the name of the index, the tuple, and the key. The first two have no spaces. */
export function rowOfBytes(document: Buffer): FoundRow {
  const fields = fieldsOf(document);
  const [id, part] = [fields.get('_id'), fields.get('part')];
  if (!Buffer.isBuffer(id) || typeof part !== 'number') throw noObject();
  const text = id.toString('utf8');
  const rowKey = text.slice(text.indexOf(' ') + 1);
  return { part, id, rowKey, key: rowKey.slice(rowKey.indexOf(' ') + 1) };
}

/** Whether the object names the row. Its rows are compared as bytes, because texts of all of them would take longer than the rest of a read. */
export function hasRow({ rows }: RowedObject, id: Buffer): boolean {
  for (let at = 4; rows?.[at] === STRING; ) {
    while (rows[at] !== 0) at++;
    const length = rows.readInt32LE(at + 1) - 1;
    const from = at + 5;
    if (length === id.length && rows.compare(id, 0, length, from, from + length) === 0) return true;
    at = from + length + 1;
  }
  return false;
}

type Fields = ReadonlyMap<string, number | Buffer>;

function storedOf(fields: Fields): Stored {
  const [key, revision, body] = [fields.get('_id'), fields.get('revision'), fields.get('body')];
  if (!Buffer.isBuffer(key) || typeof revision !== 'number' || !Buffer.isBuffer(body)) throw noObject();
  return { key: key.toString('utf8') as Key, revision, value: own(body) };
}

function noObject(): Error {
  return new Error('a document of the database is no object of this server');
}

function fieldsOf(document: Buffer): Fields {
  const fields = new Map<string, number | Buffer>();
  for (let at = 4; document[at] !== 0; ) {
    const type = document[at++];
    const end = document.indexOf(0, at);
    const name = document.toString('latin1', at, end);
    const isRows = name === 'index' && type === ARRAY;
    const { value, length } = isRows ? arrayOf(document, end + 1) : fieldOf(document, type, end + 1);
    fields.set(name, value);
    at = end + 1 + length;
  }
  return fields;
}

interface Field {
  readonly value: number | Buffer;
  readonly length: number;
}

/** A text is its bytes. */
function fieldOf(document: Buffer, type: number | undefined, at: number): Field {
  switch (type) {
    case STRING: {
      // The length counts the NUL at the end.
      const length = document.readInt32LE(at);
      return { value: document.subarray(at + 4, at + 3 + length), length: 4 + length };
    }
    case INT32:
      return { value: document.readInt32LE(at), length: 4 };
    case DOUBLE:
      return { value: document.readDoubleLE(at), length: 8 };
    case INT64:
      return { value: Number(document.readBigInt64LE(at)), length: 8 };
    default:
      throw new Error(`a document of the database has a field of the unexpected type ${type}`);
  }
}

function arrayOf(document: Buffer, at: number): Field {
  const length = document.readInt32LE(at);
  return { value: document.subarray(at, at + length), length };
}

/** The document is a part of the whole answer of the database. */
function own(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
