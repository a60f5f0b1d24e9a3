/** A message of a directory that is none (RFC 4511, X.690). */
export class MalformedMessage extends Error {
  constructor() {
    super('the directory sends something that is no LDAP');
  }
}

/** The place of an element's content. `to` is where the next element begins. */
export interface Element {
  readonly tag: number;
  readonly from: number;
  readonly to: number;
}

/** The element at a place; undefined while its header is not complete. Throws MalformedMessage. */
export function elementAt(bytes: Buffer, at: number, end = bytes.length): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (at + 2 > end || tag === undefined || first === undefined) return undefined;
  const count = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || count > 4) throw new MalformedMessage();
  const from = at + 2 + count;
  if (from > end) return undefined;
  return { tag, from, to: from + (count === 0 ? first : bytes.readUIntBE(at + 2, count)) };
}

const [BOOLEAN, INTEGER, OCTETS, ENUMERATED, SEQUENCE, SET] = [0x01, 0x02, 0x04, 0x0a, 0x30, 0x31];
const [CONTROLS, REFERRAL] = [0xa0, 0xa3];
/** Further parts of results: a referral, credentials of SASL, and the name and the value of an extended response. */
const OF_RESULTS = [REFERRAL, 0x87, 0x8a, 0x8b];
const [ENTRY, REFERENCE, INTERMEDIATE] = [0x64, 0x73, 0x79];
/** Of a bind, a search and an extended operation. */
const RESULTS = [0x61, 0x65, 0x78];

/**
 * Throws MalformedMessage unless an element is a message that a client may get. The library would read some of the
 * others without an end, until the process ends.
 */
export function checkMessage(bytes: Buffer, message: Element): void {
  demand(message.tag === SEQUENCE);
  const [id, operation, controls, ...more] = partsOf(bytes, message);
  demand(id?.tag === INTEGER && more.length === 0 && (controls === undefined || controls.tag === CONTROLS));
  if (operation === undefined) throw new MalformedMessage();
  checkOperation(bytes, operation);
  for (const control of controls === undefined ? [] : partsOf(bytes, controls, [SEQUENCE]))
    partsOf(bytes, control, [OCTETS, BOOLEAN]);
}

function checkOperation(bytes: Buffer, operation: Element): void {
  if (operation.tag === ENTRY) checkEntry(bytes, operation);
  else if (operation.tag === REFERENCE) partsOf(bytes, operation, [OCTETS]);
  else if (operation.tag === INTERMEDIATE) partsOf(bytes, operation, [0x80, 0x81]);
  else checkResult(bytes, operation);
}

function checkResult(bytes: Buffer, operation: Element): void {
  demand(RESULTS.includes(operation.tag));
  const [code, name, text, ...others] = partsOf(bytes, operation);
  demand(code?.tag === ENUMERATED && name?.tag === OCTETS && text?.tag === OCTETS);
  demand(others.every(({ tag }) => OF_RESULTS.includes(tag)));
  for (const referral of others.filter(({ tag }) => tag === REFERRAL)) partsOf(bytes, referral, [OCTETS]);
}

function checkEntry(bytes: Buffer, entry: Element): void {
  const [name, attributes, ...others] = partsOf(bytes, entry);
  if (attributes === undefined) throw new MalformedMessage();
  demand(name?.tag === OCTETS && attributes.tag === SEQUENCE && others.length === 0);
  for (const attribute of partsOf(bytes, attributes, [SEQUENCE])) {
    const [type, values, ...more] = partsOf(bytes, attribute);
    if (values === undefined) throw new MalformedMessage();
    demand(type?.tag === OCTETS && values.tag === SET && more.length === 0);
    partsOf(bytes, values, [OCTETS]);
  }
}

/** The elements that an element consists of. */
function partsOf(bytes: Buffer, { from, to }: Element, tags?: readonly number[]): readonly Element[] {
  const parts: Element[] = [];
  for (let at = from; at < to; ) {
    const part = elementAt(bytes, at, to);
    if (part === undefined || part.to > to) throw new MalformedMessage();
    demand(tags === undefined || tags.includes(part.tag));
    parts.push(part);
    at = part.to;
  }
  return parts;
}

function demand(isTrue: boolean): void {
  if (!isTrue) throw new MalformedMessage();
}
