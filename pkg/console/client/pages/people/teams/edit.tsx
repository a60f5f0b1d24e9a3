import { useSignal } from '@preact/signals';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { requireAddress } from '../e-mail.js';
import { type Team, write } from '../legacy.js';

interface Props {
  /** Undefined for a new one. */
  readonly team?: Team;
  readonly onClose: () => void;
  readonly onDone: (uid: string) => void;
}

/** Creates a team, or changes its name and its e-mail address. */
export function EditTeam({ team, onClose, onDone }: Props) {
  const [name, email] = [useSignal(team?.name ?? ''), useSignal(team?.email ?? '')];
  const save = async (): Promise<void> => {
    if (email.value !== team?.email) requireAddress(email.value);
    const body = { name: name.value, email: email.value };
    if (team === undefined) {
      const { uid } = await write<{ uid: string }>('POST', '/api/teams', body);
      tell('The team was created.');
      return onDone(uid);
    }
    await write('PUT', `/api/teams/${team.id}`, body);
    tell('The team was saved.');
    onDone(team.uid);
  };
  return (
    <FormDialog
      title={team === undefined ? 'New team' : 'Edit team'}
      action={team === undefined ? 'Create team' : 'Save'}
      onSubmit={save}
      onClose={onClose}
      fields={{ name: /name|title/i, email: /e-?mail/i }}
    >
      {(errorAt) => (
        <>
          <TextField label="Name" value={name.value} onValue={(text) => (name.value = text)} error={errorAt('name')} />
          <TextField
            label="E-mail address"
            hint="Can be left empty."
            value={email.value}
            onValue={(text) => (email.value = text)}
            error={errorAt('email')}
          />
        </>
      )}
    </FormDialog>
  );
}
