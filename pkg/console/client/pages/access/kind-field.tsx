import { isOwnGroup, listed, type Resource, resources } from '../../lib/discovery.js';
import { SelectField } from '../../ui/field.js';

/**
 * The value of the field for a kind: its plural, with its group if an earlier kind has the same plural. Those of the
 * server come first.
 */
export const wordFor = ({ group, resource }: Resource): string =>
  resources.value.find((one) => one.resource === resource && listed.value.includes(one))?.group === group
    ? resource
    : `${resource}.${group}`;

/**
 * The name of the kind, with its group if another kind has the same name. Kinds of the server keep their names,
 * whatever definitions add.
 */
export function titleOf({ group, kind }: Pick<Resource, 'group' | 'kind'>): string {
  const isAlone = isOwnGroup(group) || listed.value.filter((one) => one.kind === kind).length < 2;
  return isAlone ? kind : `${kind} (${group || 'core'})`;
}

export function kindIn(value: string): Resource | undefined {
  return listed.value.find((one) => wordFor(one) === value);
}

/** The kinds as options of a field. */
export function kindOptions(kinds: readonly Resource[]): readonly (readonly [value: string, title: string])[] {
  return kinds.map((one) => [wordFor(one), titleOf(one)]);
}

export function KindField({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  return <SelectField label="Kind" value={value} onValue={onValue} options={kindOptions(listed.value)} />;
}
