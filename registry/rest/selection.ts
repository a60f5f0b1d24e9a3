import { parseFieldSelector } from '../../pkg/selectors/fields.js';
import { parseLabelSelector } from '../../pkg/selectors/labels.js';
import { partsOf } from '../../storage/key.js';
import type { Entry } from '../../storage/state.js';
import { convertedObject } from '../conversion.js';
import type { Kind } from '../kind.js';

/** What a list or watch selects, beside its namespace. */
export interface Selection {
  /** Nothing is left out. */
  readonly all: boolean;
  /** The only name that can match, if the selector says so. */
  readonly name: string | undefined;
  matches(entry: Entry): boolean;
  /** Canonical, for binding continue tokens. */
  toString(): string;
}

/** Throws 400 for a selector that cannot be read or a field that the kind does not declare. */
export function parseSelection(kind: Kind, labelSelector: string, fieldSelector: string): Selection {
  if (labelSelector === '' && fieldSelector === '') return ALL;
  const labels = parseLabelSelector(labelSelector);
  const namespaced = kind.scope === 'Namespaced' ? ['metadata.namespace'] : [];
  const supported = new Set(['metadata.name', ...namespaced, ...Object.keys(kind.selectableFields ?? {})]);
  const fields = parseFieldSelector(fieldSelector, supported);
  return {
    all: labels.empty && fields.empty,
    name: fields.requiredValue('metadata.name'),
    matches: (entry) =>
      labels.matches(entry.attributes.labels ?? {}) && fields.matches((field) => fieldOf(kind, entry, field)),
    toString: () => `${labels.toString()};${fields.toString()}`,
  };
}

const ALL: Selection = { all: true, name: undefined, matches: () => true, toString: () => '' };

function fieldOf(kind: Kind, entry: Entry, field: string): string {
  if (field === 'metadata.name') return partsOf(entry.key).name;
  if (field === 'metadata.namespace') return partsOf(entry.key).namespace;
  // The attributes of an entry are those of the stored kind.
  if (kind.conversion !== undefined) return kind.selectableFields?.[field]?.(convertedObject(kind, entry.value)) ?? '';
  return entry.attributes.fields?.[field] ?? '';
}
