/** Encodes a JSON value as the field of a message. */
export type FieldEncoder = (value: unknown) => Uint8Array;

/** Encodes a JSON object as a message, without the tag and length of a field. */
export type MessageEncoder = (value: unknown) => Uint8Array;

const VARINT = 0;
const DOUBLE = 1;
const BYTES = 2;

export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(number * 8 + BYTES), varint(bytes.length), bytes]);
}

export const text =
  (number: number): FieldEncoder =>
  (value) =>
    bytesField(number, Buffer.from(String(value)));

export const bool =
  (number: number): FieldEncoder =>
  (value) =>
    Buffer.concat([varint(number * 8 + VARINT), varint(value === true ? 1 : 0)]);

export const int =
  (number: number): FieldEncoder =>
  (value) =>
    Buffer.concat([varint(number * 8 + VARINT), varint(Number(value))]);

export const double =
  (number: number): FieldEncoder =>
  (value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(Number(value));
    return Buffer.concat([varint(number * 8 + DOUBLE), bytes]);
  };

/** `of` may be called late, because messages contain each other. */
export const one =
  (number: number, of: () => MessageEncoder): FieldEncoder =>
  (value) =>
    bytesField(number, of()(value));

/** A list, as a repeated field. */
export const many =
  (field: FieldEncoder): FieldEncoder =>
  (value) =>
    Buffer.concat((value as readonly unknown[]).map(field));

/** Members that the message does not have are left out. `others` encodes those whose name has the prefix. */
export function message(
  fields: Readonly<Record<string, FieldEncoder>>,
  others?: { readonly prefix: string; readonly entry: FieldEncoder },
): MessageEncoder {
  return (value) => {
    const parts = Object.entries(value as object).map(([name, member]) => {
      if (member === undefined) return new Uint8Array();
      if (Object.hasOwn(fields, name)) return fields[name]?.(member) ?? new Uint8Array();
      return others !== undefined && name.startsWith(others.prefix) ? others.entry([name, member]) : new Uint8Array();
    });
    return Buffer.concat(parts);
  };
}

/** A field with a message of the name (1) and the value (2) of a member. Its value is such a pair. */
export const entry =
  (number: number, of: () => MessageEncoder): FieldEncoder =>
  (pair) => {
    const [name, value] = pair as readonly [string, unknown];
    return bytesField(number, Buffer.concat([text(1)(name), bytesField(2, of()(value))]));
  };

/** An object as a message whose field has an entry for each member. */
export const entries =
  (number: number, of: () => MessageEncoder): MessageEncoder =>
  (value) =>
    many(entry(number, of))(Object.entries(value as object));
