import { useSignal } from '@preact/signals';
import { numberIn } from '../../../lib/organization.js';
import { namespace } from '../../../lib/session.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { report, tell } from '../../../ui/toasts.js';
import { requireAddress } from '../e-mail.js';
import { write } from '../legacy.js';
import { MadePassword, madePassword, PasswordChoice } from './made-password.js';
import { RoleField } from './role-field.js';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (uid: string) => void;
}

/** Creates a user with a password and a role in the organization. */
export function CreateUser({ onClose, onCreated }: Props) {
  const [login, email, name] = [useSignal(''), useSignal(''), useSignal('')];
  const [password, role] = [useSignal<string | undefined>(undefined), useSignal('Viewer')];
  const made = useSignal<{ readonly password: string; readonly uid: string } | undefined>(undefined);
  const create = async (): Promise<void> => {
    requireAddress(email.value);
    const given = password.value ?? madePassword();
    const { id, uid } = await write<{ id: number; uid: string }>('POST', '/api/admin/users', {
      login: login.value,
      email: email.value,
      name: name.value,
      password: given,
      ...(password.value === undefined && { mustChangePassword: true }),
      orgId: await numberIn(namespace.value),
    });
    // The user exists now, so an error about the role is only reported, and the dialog closes.
    if (role.value !== 'Viewer') await write('PATCH', `/api/org/users/${id}`, { role: role.value }).catch(report);
    tell(`${login.value || email.value} was created.`);
    if (password.value === undefined) made.value = { password: given, uid };
    else onCreated(uid);
  };
  if (made.value !== undefined) {
    const { password: first, uid } = made.value;
    const end = (): void => {
      onClose();
      onCreated(uid);
    };
    return <MadePassword login={login.value || email.value} password={first} onClose={end} />;
  }
  return (
    <FormDialog
      title="New user"
      action="Create user"
      onSubmit={create}
      onClose={() => made.value === undefined && onClose()}
      fields={{ password: /password/i, login: /username|login|already exists/i, email: /e-?mail/i }}
    >
      {(errorAt) => (
        <>
          <TextField
            label="Login"
            value={login.value}
            onValue={(text) => (login.value = text)}
            error={errorAt('login')}
            autocomplete="off"
          />
          <TextField
            label="E-mail address"
            type="email"
            value={email.value}
            onValue={(text) => (email.value = text)}
            error={errorAt('email')}
            autocomplete="off"
          />
          <TextField label="Name" value={name.value} onValue={(text) => (name.value = text)} autocomplete="off" />
          <PasswordChoice
            value={password.value}
            onValue={(text) => (password.value = text)}
            error={errorAt('password')}
          />
          <RoleField role={role} />
        </>
      )}
    </FormDialog>
  );
}
