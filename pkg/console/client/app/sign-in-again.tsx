import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, addressOf, prefix, Unreachable, wordsOf } from '../lib/api.js';
import { useLoad } from '../lib/load.js';
import { loginOf, me, other, resume } from '../lib/session.js';
import { Button } from '../ui/button.js';
import { AtopDialogs, Dialog } from '../ui/dialog.js';
import { TextField } from '../ui/field.js';
import { useFirstProblem } from '../ui/use-first-problem.js';

/**
 * Says that the session has ended, and signs in again without leaving the page, so that nothing that was typed is lost.
 */
export function SignInAgain() {
  const isOpen = useSignal(false);
  // The person may have signed in on the page of a provider, in another tab.
  useEffect(() => {
    const look = (): void => void resume().catch(() => undefined);
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
  return (
    <div class="banner" role="status">
      <span class="grow">Your session has ended. What you typed is still here.</span>
      <Button look="primary" onPress={() => (isOpen.value = true)}>
        Sign in again
      </Button>
      <Providers />
      {isOpen.value && <SignInForm onClose={() => (isOpen.value = false)} />}
    </div>
  );
}

interface Provider {
  readonly provider: string;
  readonly name: string;
}

/** The sign-in page, in another tab, if there is a provider by which one can sign in. */
function Providers() {
  const { state } = useLoad(providersOf, []);
  const [only, ...more] = state.value.value ?? [];
  if (only === undefined) return null;
  return (
    <a class="button" href={`${prefix}/login`} target="_blank" rel="noreferrer">
      {more.length > 0 ? 'By a provider' : <bdi>With {only.name || only.provider}</bdi>}
    </a>
  );
}

/** Does not use `call`, because nobody is signed in. */
async function providersOf(signal: AbortSignal): Promise<readonly Provider[]> {
  const response = await fetch(addressOf('/login'), { headers: { accept: 'application/json' }, signal });
  const { providers = [] } = (await response.json()) as { readonly providers?: readonly Provider[] };
  return providers;
}

const Nothing = () => null;

/** Whoever signs in as somebody else goes on with another page, which has nothing of this one. */
export function SignInForm({ onClose }: { readonly onClose: () => void }) {
  const before = me.value === undefined ? '' : loginOf(me.value);
  const [user, password, problem] = [useSignal(before), useSignal(''), useSignal<string | undefined>(undefined)];
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useFirstProblem(form, problem.value);
  const signIn = async (): Promise<void> => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      await signInAs(user.value, password.value);
      await resume();
      if (other.peek() !== undefined) location.reload();
      else onClose();
    } catch (error) {
      problem.value = wordsOf(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <AtopDialogs.Provider value={Nothing}>
      <Dialog title="Sign in again" onClose={onClose}>
        <form
          ref={form}
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void signIn();
          }}
        >
          <TextField
            label="Login or e-mail address"
            value={user.value}
            onValue={(text) => (user.value = text)}
            autocomplete="username"
          />
          <TextField
            label="Password"
            type="password"
            value={password.value}
            onValue={(text) => (password.value = text)}
            autocomplete="current-password"
            error={problem.value}
          />
          <Button type="submit" look="primary" isBusy={isBusy.value}>
            Sign in
          </Button>
        </form>
      </Dialog>
    </AtopDialogs.Provider>
  );
}

/** Does not use `call`, which takes a 401 for the end of the session. */
async function signInAs(user: string, password: string): Promise<void> {
  const response = await fetch(addressOf('/login'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ user, password }),
  }).catch((error: unknown) => {
    throw new Unreachable(error);
  });
  if (response.ok) return;
  const { message = '' } = (await response.json().catch(() => ({}))) as { readonly message?: string };
  throw new ApiError(response.status, refusalOf(response, message));
}

function refusalOf({ status, headers }: Response, message: string): string {
  if (status === 401) return 'The login or the password is wrong.';
  if (status === 403) return 'Somebody else has set your password. Choose another one on the sign-in page first.';
  if (status !== 429) return message || 'The server cannot answer at the moment. Try again.';
  return `There were too many attempts. Try again in ${headers.get('retry-after') ?? 1} seconds.`;
}
