import type { Attributes } from '../../state/resource.js';

// A record has its length in four bytes, two bytes of flags, the number of scopes, the container and the scopes, and
// then everything else as JSON. Reads of many objects ask for the first of these of each, and for what most objects do
// not have, so these are read without parsing.
const IS_TERMINATING = 1;
const IS_OWNED = 2;
const IS_RESTRICTED = 4;
const IS_WAITING = 8;
const HAS_CONTAINER = 16;
const HAS_SCOPES = 32;
/** The first flag of the members of the JSON, in the order of `MEMBERS`. */
const HAS_MEMBERS = 64;
const MEMBERS = ['labels', 'fields', 'reading', 'about', 'owner', 'uid', 'text', 'summary'] as const;
/** The container or the scopes are too long for their places, and in the JSON. */
const HAS_LONG = HAS_MEMBERS << MEMBERS.length;
/** Where the flags, the number of scopes and the texts are. */
const FLAGS = 4;
const SCOPES = 6;
const HEAD = 7;

/** The first bit of the length of a text: it is not ASCII. */
const IS_UTF8 = 0x8000;
const LONGEST = 0x7fff;

type Member = (typeof MEMBERS)[number];
type Rest = Pick<Attributes, Member | 'container' | 'scopes'>;

/**
 * Writes the record of these attributes. Returns its bytes. In one buffer, because every object that is written to a
 * file has one.
 */
export function encodeAttributes(attributes: Attributes): Buffer {
  const { container, scopes = [] } = attributes;
  const texts = container === undefined ? scopes : [container, ...scopes];
  const lengths = texts.map((one) => Buffer.byteLength(one));
  const isLong = texts.length > 255 || lengths.some((one) => one > LONGEST);
  const flags = flagsOf(attributes, isLong);
  const json = jsonOf(attributes, flags);
  const inPlace = isLong ? 0 : lengths.reduce((sum, one) => sum + 2 + one, 0);
  const record = Buffer.allocUnsafe(HEAD + inPlace + Buffer.byteLength(json));
  record.writeUInt32LE(record.length);
  record.writeUInt16LE(flags, FLAGS);
  record[SCOPES] = isLong ? 0 : scopes.length;
  const offset = isLong ? HEAD : writeTexts(record, texts, lengths);
  record.write(json, offset);
  return record;
}

/** Returns where the next byte comes. */
function writeTexts(record: Buffer, texts: readonly string[], lengths: readonly number[]): number {
  let offset = HEAD;
  for (const [i, text] of texts.entries()) {
    const length = lengths[i] as number;
    // A text has as many bytes as units only if it is ASCII.
    record.writeUInt16LE(length === text.length ? length : length | IS_UTF8, offset);
    record.write(text, offset + 2);
    offset += 2 + length;
  }
  return offset;
}

/** The bytes of the record at a place. */
export function recordAt(bytes: Buffer, offset: number): Buffer {
  return bytes.subarray(offset, offset + bytes.readUInt32LE(offset));
}

function flagsOf(attributes: Attributes, isLong: boolean): number {
  let flags = 0;
  if (attributes.isTerminating === true) flags |= IS_TERMINATING;
  if (attributes.isOwned === true) flags |= IS_OWNED;
  if (attributes.isRestricted === true) flags |= IS_RESTRICTED;
  if (attributes.isWaiting === true) flags |= IS_WAITING;
  if (isLong) flags |= HAS_LONG;
  else {
    if (attributes.container !== undefined) flags |= HAS_CONTAINER;
    if (attributes.scopes !== undefined) flags |= HAS_SCOPES;
  }
  for (const [i, member] of MEMBERS.entries()) if (attributes[member] !== undefined) flags |= HAS_MEMBERS << i;
  return flags;
}

function jsonOf(attributes: Attributes, flags: number): string {
  if (flags < HAS_MEMBERS) return '';
  const rest: Partial<Record<keyof Rest, unknown>> = {};
  for (const member of MEMBERS) if (attributes[member] !== undefined) rest[member] = attributes[member];
  if ((flags & HAS_LONG) !== 0) Object.assign(rest, { container: attributes.container, scopes: attributes.scopes });
  return JSON.stringify(rest);
}

/** Reads the attributes of one table. */
export class AttributeReader {
  #last = '';

  attributes(bytes: Buffer, start: number): Attributes {
    return new StoredAttributes(this, bytes, start);
  }

  /** The text at a place. The object that was read before has often the same, so that no new text is made. */
  repeated(bytes: Buffer, offset: number): string {
    if (!isTextAt(bytes, offset, this.#last)) this.#last = textAt(bytes, offset);
    return this.#last;
  }
}

/** Whether the text at a place is this one. `false` may also mean that it is not in ASCII. */
function isTextAt(bytes: Buffer, offset: number, text: string): boolean {
  if (((bytes[offset] as number) | ((bytes[offset + 1] as number) << 8)) !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[offset + 2 + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** A text has its length before it, in two bytes. */
function lengthAt(bytes: Buffer, offset: number): number {
  return ((bytes[offset] as number) | ((bytes[offset + 1] as number) << 8)) & LONGEST;
}

function textAt(bytes: Buffer, offset: number): string {
  const isUtf8 = ((bytes[offset + 1] as number) & (IS_UTF8 >> 8)) !== 0;
  return bytes.toString(isUtf8 ? 'utf8' : 'latin1', offset + 2, offset + 2 + lengthAt(bytes, offset));
}

function offsetAfter(bytes: Buffer, offset: number): number {
  return offset + 2 + lengthAt(bytes, offset);
}

class StoredAttributes implements Attributes {
  readonly #reader: AttributeReader;
  readonly #bytes: Buffer;
  readonly #start: number;
  #rest: Rest | undefined;

  constructor(reader: AttributeReader, bytes: Buffer, start: number) {
    this.#reader = reader;
    this.#bytes = bytes;
    this.#start = start;
  }

  get isTerminating(): boolean {
    return this.#has(IS_TERMINATING);
  }

  get isOwned(): boolean {
    return this.#has(IS_OWNED);
  }

  get isRestricted(): boolean {
    return this.#has(IS_RESTRICTED);
  }

  get isWaiting(): boolean {
    return this.#has(IS_WAITING);
  }

  get container(): string | undefined {
    if (this.#has(HAS_CONTAINER)) return this.#reader.repeated(this.#bytes, this.#start + HEAD);
    return this.#has(HAS_LONG) ? this.#json.container : undefined;
  }

  get scopes(): readonly string[] | undefined {
    if (!this.#has(HAS_SCOPES)) return this.#has(HAS_LONG) ? this.#json.scopes : undefined;
    const scopes: string[] = [];
    let offset = this.#start + HEAD;
    if (this.#has(HAS_CONTAINER)) offset = offsetAfter(this.#bytes, offset);
    for (
      let left = this.#bytes[this.#start + SCOPES] as number;
      left > 0;
      left--, offset = offsetAfter(this.#bytes, offset)
    )
      scopes.push(textAt(this.#bytes, offset));
    return scopes;
  }

  get labels(): Attributes['labels'] {
    return this.#member('labels');
  }

  get fields(): Attributes['fields'] {
    return this.#member('fields');
  }

  get reading(): Attributes['reading'] {
    return this.#member('reading');
  }

  get about(): string | undefined {
    return this.#member('about');
  }

  get owner(): Attributes['owner'] {
    return this.#member('owner');
  }

  get uid(): string | undefined {
    return this.#member('uid');
  }

  get text(): string | undefined {
    return this.#member('text');
  }

  get summary(): unknown {
    return this.#member('summary');
  }

  #member<M extends Member>(member: M): Attributes[M] {
    return this.#has(HAS_MEMBERS << MEMBERS.indexOf(member)) ? (this.#json as Attributes)[member] : undefined;
  }

  get #json(): Rest {
    if (this.#rest !== undefined) return this.#rest;
    let offset = this.#start + HEAD;
    const texts = (this.#bytes[this.#start + SCOPES] as number) + (this.#has(HAS_CONTAINER) ? 1 : 0);
    for (let left = texts; left > 0; left--) offset = offsetAfter(this.#bytes, offset);
    this.#rest = JSON.parse(
      this.#bytes.toString('utf8', offset, this.#start + this.#bytes.readUInt32LE(this.#start)),
    ) as Rest;
    return this.#rest;
  }

  #has(flag: number): boolean {
    const offset = this.#start + FLAGS;
    const flags = (this.#bytes[offset] as number) | ((this.#bytes[offset + 1] as number) << 8);
    return (flags & flag) !== 0;
  }
}
