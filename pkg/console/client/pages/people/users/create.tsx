import { useSignal } from '@preact/signals';
import { ApiError } from '../../../lib/api.js';
import { requireLength } from '../../../lib/new-password.js';
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
  /** The caller creates accounts of the server. Otherwise the account belongs to the organization that is shown. */
  readonly isOfServer: boolean;
  readonly onClose: () => void;
  readonly onCreated: (uid: string) => void;
}

interface Made {
  readonly uid: string;
  /** Undefined if it was typed. */
  readonly password?: string;
}

interface Wanted {
  readonly login: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  /** Undefined: the page makes one. */
  readonly password: string | undefined;
}

/** Creates a user with a password and a role in the organization. */
export function CreateUser({ isOfServer, onClose, onCreated }: Props) {
  const [login, email, name] = [useSignal(''), useSignal(''), useSignal('')];
  const [password, role] = [useSignal<string | undefined>(undefined), useSignal('Viewer')];
  const made = useSignal<Required<Made> | undefined>(undefined);
  const create = async (): Promise<void> => {
    requireAddress(email.value);
    if (password.value !== undefined) requireLength(password.value);
    const wanted = {
      login: login.value,
      email: email.value,
      name: name.value,
      role: role.value,
      password: password.value,
    };
    const { uid, password: first } = await (isOfServer ? createOnServer(wanted) : createHere(wanted));
    tell(`${login.value || email.value} was created.`);
    if (first === undefined) onCreated(uid);
    else made.value = { uid, password: first };
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
          {isOfServer && (
            <PasswordChoice
              value={password.value}
              onValue={(text) => (password.value = text)}
              error={errorAt('password')}
            />
          )}
          <RoleField role={role} />
          {!isOfServer && <p class="muted">{OF_ORGANIZATION}</p>}
        </>
      )}
    </FormDialog>
  );
}

const OF_ORGANIZATION =
  'The account belongs to this organization. Its first password is shown once, and must be changed at the first sign-in. Only an administrator of the server can set another one.';

async function createOnServer({ role, password, ...profile }: Wanted): Promise<Made> {
  const given = password ?? madePassword();
  const { id, uid } = await write<{ id: number; uid: string }>('POST', '/api/admin/users', {
    ...profile,
    password: given,
    ...(password === undefined && { mustChangePassword: true }),
    orgId: await numberIn(namespace.value),
  });
  // The user exists now, so an error about the role is only reported, and the dialog closes.
  if (role !== 'Viewer') await write('PATCH', `/api/org/users/${id}`, { role }).catch(report);
  return password === undefined ? { uid, password: given } : { uid };
}

async function createHere({ password: _, ...body }: Wanted): Promise<Made> {
  return write<Made>('POST', '/api/org/accounts', body).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 412 ? new Error(TAKEN) : error;
  });
}

/** The server does not say which of both it is, nor whose. */
const TAKEN =
  'An account that exists has this login or this e-mail address. Add it with “Add somebody”, or choose another login.';
