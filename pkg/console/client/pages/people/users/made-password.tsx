import { PASSWORD_HINT } from '../../../lib/new-password.js';
import { CheckField, TextField } from '../../../ui/field.js';
import { SecretDialog } from '../../../ui/secret-dialog.js';

/** Without characters that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const [GROUPS, GROUP] = [4, 5];

/** A random password of about 100 bits, which people can type. */
export function madePassword(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(GROUPS * GROUP))].map((one) => LETTERS[one % 32] ?? '');
  return Array.from({ length: GROUPS }, (_, at) => letters.slice(at * GROUP, (at + 1) * GROUP).join('')).join('-');
}

interface ChoiceProps {
  /** Undefined: the page makes one. */
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
  readonly error: string | undefined;
}

/** A password that the page makes and its user must change, or one that is typed. */
export function PasswordChoice({ value, onValue, error }: ChoiceProps) {
  return (
    <>
      <CheckField
        label="Make a password, which must be changed at the first sign-in"
        checked={value === undefined}
        onChecked={(isMade) => onValue(isMade ? undefined : '')}
      />
      {value !== undefined && (
        <TextField
          label="Password"
          type="password"
          hint={PASSWORD_HINT}
          value={value}
          onValue={onValue}
          error={error}
          autocomplete="new-password"
        />
      )}
    </>
  );
}

interface ShownProps {
  readonly login: string;
  readonly password: string;
  readonly onClose: () => void;
}

/** Shows a password that the page has made. */
export function MadePassword({ login, password, onClose }: ShownProps) {
  return (
    <SecretDialog
      title={`The first password of ${login}`}
      what="The password"
      secret={password}
      copied="The password is copied."
      done="Done"
      onClose={onClose}
    >
      <p>Give it to {login}. It is shown only now, and must be changed at the first sign-in.</p>
      <p>
        <code class="people-password">{password}</code>
      </p>
    </SecretDialog>
  );
}
