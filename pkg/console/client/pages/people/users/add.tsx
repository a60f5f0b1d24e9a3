import { useSignal } from '@preact/signals';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { write } from '../legacy.js';
import { RoleField } from './role-field.js';

interface Props {
  /** Whether the caller may also create users. */
  readonly mayCreate: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Adds somebody who has an account to the organization. */
export function AddUser({ mayCreate, onClose, onDone }: Props) {
  const [login, role] = [useSignal(''), useSignal('Viewer')];
  const add = async (): Promise<void> => {
    await write('POST', '/api/org/users', { loginOrEmail: login.value.trim(), role: role.value });
    tell(`${login.value.trim()} is ${role.value} here now.`);
    onDone();
  };
  return (
    <FormDialog
      title="Add somebody to the organization"
      action="Add"
      onSubmit={add}
      onClose={onClose}
      fields={{ login: /user|login|member|already/i }}
    >
      {(errorAt) => (
        <>
          <TextField
            label="Login or e-mail address"
            hint={
              mayCreate
                ? 'Of an account that exists. “New user” makes one.'
                : 'Of an account that exists. Administrators of the server make accounts, and so does a sign-in by a provider.'
            }
            value={login.value}
            onValue={(text) => (login.value = text)}
            error={errorAt('login')}
            autocomplete="off"
            autofocus
          />
          <RoleField role={role} />
        </>
      )}
    </FormDialog>
  );
}
