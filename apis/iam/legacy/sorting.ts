import { LegacyError, structured } from '../../../registry/legacy/errors.js';

export interface SortKey<Field extends string> {
  readonly field: Field;
  readonly descending: boolean;
}

/** The most sort keys of a request. No list has more fields. */
const MOST = 20;

/** The keys of `?sort=name-desc,email-asc`, in this order. The parameter may be repeated. Throws 400 for an unknown field or direction. */
export function sortOf<Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
): readonly SortKey<Field>[] {
  const options = query
    .getAll('sort')
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
  if (options.length > MOST) throw unknownSorting();
  const keys = options.map((option) => keyOf(option, fields));
  return keys.filter(({ field }, index) => keys.findIndex((other) => other.field === field) === index);
}

function keyOf<Field extends string>(option: string, fields: readonly Field[]): SortKey<Field> {
  const match = /^([a-zA-Z]+)-(asc|desc)$/.exec(option);
  const field = fields.find((one) => one === match?.[1]);
  if (match === null || field === undefined) throw unknownSorting();
  return { field, descending: match[2] === 'desc' };
}

function unknownSorting(): LegacyError {
  return new LegacyError(400, structured(400, 'unknown sorting option', 'BadRequest'));
}

export function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sort value of each field. */
export type Values<Field extends string, Row> = Readonly<Record<Field, (row: Row) => string | number>>;

/** Compares rows by the keys, in their order; 0 for rows that are equal in all keys. */
export function byKeys<Field extends string, Row>(
  keys: readonly SortKey<Field>[],
  values: Values<Field, Row>,
): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { field, descending } of keys) {
      const order = compare(values[field](a), values[field](b));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}
