import { useSignal } from '@preact/signals';
import { forgetGuessable } from '../../app/guessable.js';
import { call } from '../../lib/api.js';
import { PASSWORD_HINT, requireLength } from '../../lib/new-password.js';
import { Button } from '../../ui/button.js';
import { TextField } from '../../ui/field.js';
import { sorted } from '../../ui/form-dialog.js';
import { tell } from '../../ui/toasts.js';
import { Card } from '../people/list.js';
import type { Myself } from '../people/myself.js';

const FIELDS = { old: /old password/i, next: /password/i };

/** Changes the password of the caller. People who sign in only by a provider have none. */
export function Password({ self }: { readonly self: Myself }) {
  const [old, next, again] = [useSignal(''), useSignal(''), useSignal('')];
  const problem = useSignal<unknown>(undefined);
  const isDifferent = useSignal(false);
  const { at, rest } = sorted(problem.value, FIELDS);
  const save = async (): Promise<void> => {
    problem.value = undefined;
    isDifferent.value = next.value !== again.value;
    if (isDifferent.value) return;
    try {
      requireLength(next.value);
      const body = { oldPassword: old.value, newPassword: next.value, confirmNew: again.value };
      await call('PUT', '/api/user/password', { body });
      for (const field of [old, next, again]) field.value = '';
      forgetGuessable();
      tell('Your password was changed.');
    } catch (error) {
      problem.value = error;
    }
  };
  if (self.isExternal && self.authLabels.length > 0)
    return (
      <Card title="Password">
        <p class="muted">You sign in by {self.authLabels.join(', ')}, and change your password there.</p>
      </Card>
    );
  return (
    <Card title="Password">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          class="sr-only"
          type="text"
          autocomplete="username"
          value={self.login}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <Secret label="Old password" of={old} autocomplete="current-password" error={at.get('old')} />
        <Secret
          label="New password"
          of={next}
          hint={PASSWORD_HINT}
          autocomplete="new-password"
          error={at.get('next') ?? (rest || undefined)}
        />
        <Secret
          label="New password again"
          of={again}
          autocomplete="new-password"
          error={isDifferent.value ? 'This is not the same password.' : undefined}
        />
        <div>
          <Button type="submit" disabled={old.value === '' || next.value === ''}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface SecretProps {
  readonly label: string;
  readonly of: { value: string };
  readonly hint?: string;
  readonly autocomplete: string;
  readonly error: string | undefined;
}

function Secret({ label, of, hint, autocomplete, error }: SecretProps) {
  return (
    <TextField
      label={label}
      type="password"
      hint={hint}
      autocomplete={autocomplete}
      value={of.value}
      onValue={(text) => (of.value = text)}
      error={error}
    />
  );
}
