/**
 * A message as data: field number → field. An `optional` field is a pointer in Go, and its value is kept even if it is zero. Go's encoder
 * writes other scalars even when they are not set, so their zero value means absent.
 */
export type Message = Readonly<Record<number, Field>>;

export interface Field {
  /** The name in JSON. */
  readonly name: string;
  readonly type: FieldType;
  readonly repeated?: boolean;
  readonly optional?: boolean;
}

/**
 * In JSON, `bytes` are base64. `json` is a message that holds JSON text. `strings` is a message whose JSON form is the list that it holds. `map` has
 * string keys.
 */
export type FieldType =
  | 'string'
  | 'bool'
  | 'int'
  | 'time'
  | 'microtime'
  | 'bytes'
  | 'json'
  | 'strings'
  | { readonly message: Message }
  | { readonly map: 'string' | 'strings' | 'bytes' };

export const text = (name: string): Field => ({ name, type: 'string' });
export const texts = (name: string): Field => ({ name, type: 'string', repeated: true });
export const bool = (name: string): Field => ({ name, type: 'bool' });
export const int = (name: string): Field => ({ name, type: 'int' });
export const microtime = (name: string): Field => ({ name, type: 'microtime' });
export const time = (name: string): Field => ({ name, type: 'time' });
export const one = (name: string, message: Message): Field => ({ name, type: { message } });
export const many = (name: string, message: Message): Field => ({ name, type: { message }, repeated: true });
export const optional = (field: Field): Field => ({ ...field, optional: true });
