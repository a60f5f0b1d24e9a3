import { useSignal } from '@preact/signals';
import { SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { type Account, ROLE_OPTIONS, write } from '../legacy.js';

interface Props {
  /** Undefined for a new one. */
  readonly account?: Account;
  readonly onClose: () => void;
  readonly onDone: (uid: string) => void;
}

/** Creates a service account, or changes its name and its role. */
export function EditAccount({ account, onClose, onDone }: Props) {
  const [name, role] = [useSignal(account?.name ?? ''), useSignal(account?.role ?? 'Viewer')];
  const save = async (): Promise<void> => {
    const body = { name: name.value, role: role.value };
    if (account === undefined) {
      const { uid } = await write<Account>('POST', '/api/serviceaccounts', body);
      tell('The service account was created. Programs need a token of it.');
      return onDone(uid);
    }
    await write('PATCH', `/api/serviceaccounts/${account.id}`, body);
    tell('The service account was saved.');
    onDone(account.uid);
  };
  return (
    <FormDialog
      title={account === undefined ? 'New service account' : 'Edit service account'}
      action={account === undefined ? 'Create service account' : 'Save'}
      onSubmit={save}
      onClose={onClose}
      fields={{ role: /role/i, name: /name|title|already exists/i }}
    >
      {(errorAt) => (
        <>
          <TextField label="Name" value={name.value} onValue={(text) => (name.value = text)} error={errorAt('name')} />
          <SelectField
            label="Role in the organization"
            value={role.value}
            onValue={(text) => (role.value = text)}
            options={ROLE_OPTIONS}
            error={errorAt('role')}
          />
        </>
      )}
    </FormDialog>
  );
}
