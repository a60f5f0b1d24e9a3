import { useSignal } from '@preact/signals';
import { SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { SecretDialog } from '../../../ui/secret-dialog.js';
import { Notice } from '../../../ui/states.js';
import { write } from '../legacy.js';

const DAY = 86_400;
const LIFETIMES = [
  [String(DAY), '1 day'],
  [String(7 * DAY), '7 days'],
  [String(30 * DAY), '30 days'],
  [String(90 * DAY), '90 days'],
  [String(365 * DAY), '1 year'],
  ['0', 'Does not expire'],
] as const;

interface Props {
  readonly path: string;
  readonly onClose: () => void;
  readonly onCreated: (key: string) => void;
}

/** Creates a token with a name and a lifetime. */
export function NewToken({ path, onClose, onCreated }: Props) {
  const [name, lifetime] = [useSignal(''), useSignal(String(90 * DAY))];
  const create = async (): Promise<void> => {
    const body = { name: name.value, secondsToLive: Number(lifetime.value) };
    const { key } = await write<{ key: string }>('POST', `${path}/tokens`, body);
    onCreated(key);
  };
  return (
    <FormDialog
      title="New token"
      action="Create token"
      onSubmit={create}
      onClose={onClose}
      fields={{ lifetime: /seconds|expir/i, name: /name/i }}
    >
      {(errorAt) => (
        <>
          <TextField
            label="Name"
            hint="For what the token is, so that you know it again."
            value={name.value}
            onValue={(text) => (name.value = text)}
            error={errorAt('name')}
          />
          <SelectField
            label="Lifetime"
            value={lifetime.value}
            onValue={(text) => (lifetime.value = text)}
            options={LIFETIMES}
            error={errorAt('lifetime')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Shows the secret of a new token, which nobody can see again. */
export function ShownOnce({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <SecretDialog
      title="Your new token"
      what="The token"
      secret={token}
      copied="The token was copied."
      done="I have stored it"
      onClose={onClose}
    >
      <Notice look="warn">
        <p>Copy the token now. It is not shown again.</p>
      </Notice>
      <div class="people-key">
        <output class="mono" aria-label="Token">
          {token}
        </output>
      </div>
    </SecretDialog>
  );
}
