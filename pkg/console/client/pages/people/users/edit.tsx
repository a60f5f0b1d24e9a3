import { useSignal } from '@preact/signals';
import { requireLength } from '../../../lib/new-password.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { requireAddress } from '../e-mail.js';
import { write } from '../legacy.js';
import type { UserDetails } from './details.js';
import { MadePassword, madePassword, PasswordChoice } from './made-password.js';

interface Props {
  readonly user: UserDetails;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Changes the profile of a user. */
export function EditUser({ user, onClose, onDone }: Props) {
  const [login, email, name] = [useSignal(user.login), useSignal(user.email), useSignal(user.name)];
  const save = async (): Promise<void> => {
    // One that was stored before may stay.
    if (email.value !== user.email) requireAddress(email.value);
    const body = { login: login.value, email: email.value, name: name.value };
    await write('PUT', `/api/users/${user.id}`, body);
    tell('The profile was saved.');
    onDone();
  };
  return (
    <FormDialog
      title="Edit profile"
      action="Save"
      onSubmit={save}
      onClose={onClose}
      fields={{ login: /username|login/i, email: /e-?mail/i, name: /name/i }}
    >
      {(errorAt) => (
        <>
          <TextField label="Name" value={name.value} onValue={(text) => (name.value = text)} error={errorAt('name')} />
          <TextField
            label="Login"
            value={login.value}
            onValue={(text) => (login.value = text)}
            error={errorAt('login')}
          />
          <TextField
            label="E-mail address"
            value={email.value}
            onValue={(text) => (email.value = text)}
            error={errorAt('email')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Sets the password of somebody else. */
export function SetPassword({ user, onClose }: Omit<Props, 'onDone'>) {
  const password = useSignal<string | undefined>(undefined);
  const made = useSignal<string | undefined>(undefined);
  const save = async (): Promise<void> => {
    if (password.value !== undefined) requireLength(password.value);
    const given = password.value ?? madePassword();
    const mustChangePassword = password.value === undefined;
    await write('PUT', `/api/admin/users/${user.id}/password`, { password: given, mustChangePassword });
    tell(`The password of ${user.login} was set.`);
    if (mustChangePassword) made.value = given;
  };
  if (made.value !== undefined) return <MadePassword login={user.login} password={made.value} onClose={onClose} />;
  return (
    <FormDialog
      title="Set password"
      action="Set password"
      onSubmit={save}
      onClose={() => made.value === undefined && onClose()}
      fields={{ password: /password/i }}
    >
      {(errorAt) => (
        <PasswordChoice
          value={password.value}
          onValue={(text) => (password.value = text)}
          error={errorAt('password')}
        />
      )}
    </FormDialog>
  );
}
