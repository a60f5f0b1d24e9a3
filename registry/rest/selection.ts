import { parseFieldSelector } from '../../pkg/selectors/fields.js';
import { parseLabelSelector } from '../../pkg/selectors/labels.js';
import type { Entry } from '../../storage/entry.js';
import { partsOf } from '../../storage/key.js';
import { convertedObject } from '../conversion.js';
import type { Kind } from '../kind.js';

/** The label and field selectors of a list or watch. */
export interface Selection {
  /** The selectors select every object. */
  readonly all: boolean;
  /** The only name that can match, if the field selector requires one. */
  readonly name: string | undefined;
  matches(entry: Entry): boolean;
  /** The canonical form, for continue tokens. */
  toString(): string;
}

/** Throws 400 for a selector that cannot be parsed, and for a field that the kind does not declare. */
export function parseSelection(kind: Kind, labelSelector: string, fieldSelector: string): Selection {
  if (labelSelector === '' && fieldSelector === '') return ALL;
  const labels = parseLabelSelector(labelSelector);
  const namespaced = kind.scope === 'Namespaced' ? ['metadata.namespace'] : [];
  const supported = new Set(['metadata.name', ...namespaced, ...Object.keys(kind.selectableFields ?? {})]);
  const fields = parseFieldSelector(fieldSelector, supported);
  return {
    all: labels.empty && fields.empty,
    name: fields.requiredValue('metadata.name'),
    matches: (entry) => labels.matches(labelsOf(kind, entry)) && fields.matches((field) => fieldOf(kind, entry, field)),
    toString: () => `${labels.toString()};${fields.toString()}`,
  };
}

const ALL: Selection = { all: true, name: undefined, matches: () => true, toString: () => '' };

/** The attributes of an entry belong to the stored kind. */
function labelsOf(kind: Kind, entry: Entry): Readonly<Record<string, string>> {
  if (kind.conversion !== undefined) return convertedObject(kind, entry.value).metadata.labels ?? {};
  return entry.attributes.labels ?? {};
}

function fieldOf(kind: Kind, entry: Entry, field: string): string {
  if (field === 'metadata.name') return partsOf(entry.key).name;
  if (field === 'metadata.namespace') return partsOf(entry.key).namespace;
  if (kind.conversion !== undefined) return kind.selectableFields?.[field]?.(convertedObject(kind, entry.value)) ?? '';
  return entry.attributes.fields?.[field] ?? '';
}
