import { useSignal } from '@preact/signals';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { write } from '../legacy.js';
import type { UserDetails } from './details.js';

interface Props {
  readonly user: UserDetails;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Changes the profile of a user. */
export function EditUser({ user, onClose, onDone }: Props) {
  const [login, email, name] = [useSignal(user.login), useSignal(user.email), useSignal(user.name)];
  const save = async (): Promise<void> => {
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

export function SetPassword({ user, onClose }: Omit<Props, 'onDone'>) {
  const password = useSignal('');
  const save = async (): Promise<void> => {
    await write('PUT', `/api/admin/users/${user.id}/password`, { password: password.value });
    tell(`The password of ${user.login} was set.`);
  };
  return (
    <FormDialog
      title="Set password"
      action="Set password"
      onSubmit={save}
      onClose={onClose}
      fields={{ password: /password/i }}
    >
      {(errorAt) => (
        <TextField
          label="New password"
          type="password"
          autocomplete="new-password"
          value={password.value}
          onValue={(text) => (password.value = text)}
          error={errorAt('password')}
        />
      )}
    </FormDialog>
  );
}
