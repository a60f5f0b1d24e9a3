import { useSignal } from '@preact/signals';
import { ApiError } from '../../../lib/api.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { write } from '../legacy.js';
import { RoleField } from './role-field.js';

interface Props {
  /** Whether the caller may view all users, and so may name them by login. */
  readonly mayUseLogins: boolean;
  /** Whether the caller may also create users. */
  readonly mayCreate: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Adds somebody who has an account to the organization. */
export function AddUser({ mayUseLogins, mayCreate, onClose, onDone }: Props) {
  const [login, role] = [useSignal(''), useSignal('Viewer')];
  const add = async (): Promise<void> => {
    const body = { loginOrEmail: login.value.trim(), role: role.value };
    await write('POST', '/api/org/users', body).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 404 ? new Error(notFound(mayUseLogins)) : error;
    });
    tell(`${login.value.trim()} is ${role.value} here now.`);
    onDone();
  };
  return (
    <FormDialog
      title="Add somebody to the organization"
      action="Add"
      onSubmit={add}
      onClose={onClose}
      fields={{ login: /user|login|account|member|already/i }}
    >
      {(errorAt) => (
        <>
          <TextField
            label={mayUseLogins ? 'Login or e-mail address' : 'E-mail address'}
            hint={
              mayCreate
                ? 'Of an account that exists. “New user” makes one.'
                : 'Of an account that exists. Administrators of the server make accounts and can add them by login. A sign-in by a provider makes one, too.'
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

/** Only who may view all users may add them by login, so that nobody finds out logins and addresses by guessing. */
function notFound(mayUseLogins: boolean): string {
  const what = mayUseLogins ? 'login or e-mail address' : 'e-mail address';
  return `No account has this ${what}. An address that a person or an organization has set counts when an administrator of the server has verified it.`;
}
