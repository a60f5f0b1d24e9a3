import type { IndexRow } from '../../storage/backend.js';
import { decodeObject } from '../../storage/codec.js';
import { countedOf } from '../../storage/counted.js';
import { resourceOf } from '../../storage/key.js';
import type { ResourceDefinition } from '../../storage/resource.js';
import type { Held } from '../../storage/snapshot.js';
import type { Kind } from '../kind.js';
import { resourceDefinitions } from '../registry.js';

export type Definitions = ReadonlyMap<string, ResourceDefinition>;

export function definitionsOf(kinds: readonly Kind[]): Definitions {
  return new Map(resourceDefinitions(kinds).map((one) => [one.resource, one]));
}

/** The index rows that follow from the fields of the object. Undefined if it has these, or if its kind is unknown. */
export function rightRows(definitions: Definitions, { key, value, rows }: Held): readonly IndexRow[] | undefined {
  const definition = definitions.get(resourceOf(key));
  if (definition === undefined) return undefined;
  const wanted = definition.cached ? [] : (definition.rows?.(decodeObject(value), key) ?? []);
  return textOf(wanted) === textOf(rows) ? undefined : wanted;
}

/** Rows are a set, and what an object is counted under belongs to all of them. */
function textOf(rows: readonly IndexRow[]): string {
  if (rows.length === 0) return '';
  const own = [...new Set(rows.map(({ index, tuple }) => `${index} ${tuple}`))].sort();
  return [...own, '', ...[...countedOf(rows)].sort()].join('\n');
}
