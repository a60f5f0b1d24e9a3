import type { Stored } from '../backend.js';
import type { Key } from '../key.js';

/** The types of BSON that the fields have: numbers as the driver writes them. */
const DOUBLE = 0x01;
const STRING = 0x02;
const BOOLEAN = 0x08;
const INT32 = 0x10;
const INT64 = 0x12;

/** A row of an index that one read found. It has no object if its object changed between the reads of both. */
export interface Candidate {
  readonly rowKey: string;
  readonly stored: Stored | undefined;
}

/**
 * An object, read from the bytes of its document, which has only the fields `_id`, `revision` and `body`. The driver would make a text of the body, from
 * which its bytes would be made again: a load of many objects takes a third of the time without.
 */
export function storedOfBytes(document: Buffer): Stored {
  const fields = fieldsOf(document);
  return storedOf(fields.get('_id'), fields);
}

/** A row `_id` of an index with the `key`, `revision` and `body` of its object, and whether that object names it. */
export function candidateOfBytes(document: Buffer, index: string): Candidate {
  const fields = fieldsOf(document);
  const id = fields.get('_id');
  if (!Buffer.isBuffer(id)) throw noObject();
  const rowKey = id.toString('utf8', index.length + 1);
  return { rowKey, stored: fields.get('isNamed') === 1 ? storedOf(fields.get('key'), fields) : undefined };
}

type Fields = ReadonlyMap<string, number | Buffer>;

function storedOf(key: number | Buffer | undefined, fields: Fields): Stored {
  const [revision, body] = [fields.get('revision'), fields.get('body')];
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
    const { value, length } = fieldOf(document, type, end + 1);
    fields.set(name, value);
    at = end + 1 + length;
  }
  return fields;
}

interface Field {
  readonly value: number | Buffer;
  readonly length: number;
}

/** A text is its bytes, and true is 1. */
function fieldOf(document: Buffer, type: number | undefined, at: number): Field {
  switch (type) {
    case STRING: {
      // The length counts the NUL at the end.
      const length = document.readInt32LE(at);
      return { value: document.subarray(at + 4, at + 3 + length), length: 4 + length };
    }
    case BOOLEAN:
      return { value: document.readUInt8(at), length: 1 };
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

/** The document is a part of the whole answer of the database. */
function own(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
