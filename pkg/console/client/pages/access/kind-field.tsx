import { listed, type Resource } from '../../lib/discovery.js';
import { SelectField } from '../../ui/field.js';

/** The value of the field for a kind: its plural name, with its group if that is not one of the server's first. */
const wordFor = ({ group, resource }: Resource): string =>
  listed.value.find((one) => one.resource === resource)?.group === group ? resource : `${resource}.${group}`;

/** The kind as people see it, with its group if another one has the same name. */
export function titleOf({ group, kind }: Resource): string {
  const isAlone = listed.value.filter((one) => one.kind === kind).length < 2;
  return isAlone ? kind : `${kind} (${group || 'core'})`;
}

export function kindIn(value: string): Resource | undefined {
  return listed.value.find((one) => wordFor(one) === value);
}

/** Chooses one of the kinds that the server has. */
export function KindField({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  const options = listed.value.map((one) => [wordFor(one), titleOf(one)] as const);
  return <SelectField label="Kind" value={value} onValue={onValue} options={options} />;
}
