import { type FieldSelector, parseFieldSelector } from '../../../pkg/kube/selectors/fields.js';
import { type LabelSelector, parseLabelSelector } from '../../../pkg/kube/selectors/labels.js';
import type { IndexRow } from '../../../storage/backend.js';
import { partsOf } from '../../../storage/key.js';
import type { Entry } from '../../../storage/state/entry.js';
import { encodeTuple } from '../../../storage/state/tuple.js';
import { convertedObject, isServedAsStored } from '../../kinds/conversion.js';
import type { Kind } from '../../kinds/kind.js';
import { INTERNAL_ID_INDEX } from '../../kinds/registry.js';
import { fieldRow, labelRow } from '../../kinds/selector-rows.js';
import { objectOf } from '../../read/reader.js';

/** The label and field selectors of a list or watch. */
export interface Selection {
  /** The selectors select every object. */
  readonly all: boolean;
  /** The only name that can match, if the field selector requires one. */
  readonly name: string | undefined;
  /** A row that every selected object has in an index, if there is one. */
  readonly row: IndexRow | undefined;
  /** The only value that a field can have, if the field selector requires one. */
  required(field: string): string | undefined;
  matches(entry: Entry): boolean;
  /** The same for an entry of another form of the kind. */
  matchesAs(kind: Kind, entry: Entry): boolean;
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
  const matchesAs = (kind: Kind, entry: Entry): boolean =>
    labels.matches(labelsOf(kind, entry)) && fields.matches((field) => fieldOf(kind, entry, field));
  return {
    all: labels.empty && fields.empty,
    name: fields.requiredValue('metadata.name'),
    required: (field) => fields.requiredValue(field),
    row: kind.conversion === undefined ? rowOf(kind, labels, fields) : undefined,
    matches: (entry) => matchesAs(kind, entry),
    matchesAs,
    toString: () => `${labels.toString()};${fields.toString()}`,
  };
}

const ALL: Selection = {
  all: true,
  name: undefined,
  required: () => undefined,
  row: undefined,
  matches: () => true,
  matchesAs: () => true,
  toString: () => '',
};

/** Fields come first, because fewer objects have the same value of them. */
function rowOf(kind: Kind, labels: LabelSelector, fields: FieldSelector): IndexRow | undefined {
  for (const field of Object.keys(kind.selectableFields ?? {})) {
    const value = fields.requiredValue(field);
    if (value !== undefined) return fieldRow(field, value);
  }
  const ids = labels.required.filter(([key]) => kind.internalId && key === kind.ownedKeys.internalId);
  const [[, id] = []] = ids;
  if (id !== undefined) return { index: INTERNAL_ID_INDEX, tuple: encodeTuple([Number(id)]) };
  const [label] = labels.required.filter(([key]) => !kind.ownedKeys.labels.includes(key));
  return label && labelRow(...label);
}

/** The attributes of an entry belong to the stored kind. A version with the same fields has the same labels. */
function labelsOf(kind: Kind, entry: Entry): Readonly<Record<string, string>> {
  if (kind.conversion?.keepsFields !== true && !isServedAsStored(kind, entry))
    return convertedObject(kind, entry.value).metadata.labels ?? {};
  return entry.attributes.labels ?? {};
}

function readField({ selectableFields = {} }: Kind, entry: Entry, field: string): string {
  return selectableFields[field]?.(objectOf(entry)) ?? '';
}

function fieldOf(kind: Kind, entry: Entry, field: string): string {
  if (field === 'metadata.name') return partsOf(entry.key).name;
  if (field === 'metadata.namespace') return partsOf(entry.key).namespace;
  if (!isServedAsStored(kind, entry)) return kind.selectableFields?.[field]?.(convertedObject(kind, entry.value)) ?? '';
  return entry.attributes.fields?.[field] ?? (kind.fieldsMayChange ? readField(kind, entry, field) : '');
}
