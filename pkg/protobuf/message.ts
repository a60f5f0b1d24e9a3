/**
 * A message as data: field number → field. `optional` is a pointer in Go: it is kept when it is there, even if zero; of other
 * scalars the zero value means absent, since Go's encoder writes them always.
 */
export type Message = Readonly<Record<number, Field>>;

export interface Field {
  /** In JSON. */
  readonly name: string;
  readonly type: FieldType;
  readonly repeated?: boolean;
  readonly optional?: boolean;
}

/** `json` is a message that holds JSON text; `strings` one whose JSON form is the list it holds; `map` is keyed by strings. */
export type FieldType =
  | 'string'
  | 'bool'
  | 'int'
  | 'time'
  | 'microTime'
  | 'json'
  | 'strings'
  | { readonly message: Message }
  | { readonly map: 'string' | 'strings' };

export const text = (name: string): Field => ({ name, type: 'string' });
export const texts = (name: string): Field => ({ name, type: 'string', repeated: true });
export const bool = (name: string): Field => ({ name, type: 'bool' });
export const int = (name: string): Field => ({ name, type: 'int' });
export const time = (name: string): Field => ({ name, type: 'time' });
export const microTime = (name: string): Field => ({ name, type: 'microTime' });
export const one = (name: string, message: Message): Field => ({ name, type: { message } });
export const many = (name: string, message: Message): Field => ({ name, type: { message }, repeated: true });
export const optional = (field: Field): Field => ({ ...field, optional: true });
