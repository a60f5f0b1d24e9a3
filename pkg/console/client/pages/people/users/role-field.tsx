import type { Signal } from '@preact/signals';
import { SelectField } from '../../../ui/field.js';
import { ROLE_OPTIONS } from '../legacy.js';

/** The role of somebody who is added to the organization. */
export function RoleField({ role }: { readonly role: Signal<string> }) {
  return (
    <SelectField
      label="Role in the organization"
      value={role.value}
      onValue={(text) => (role.value = text)}
      options={ROLE_OPTIONS}
    />
  );
}
