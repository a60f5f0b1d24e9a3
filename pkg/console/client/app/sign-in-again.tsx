import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, addressOf, prefix, Unreachable, wordsOf } from '../lib/api.js';
import { loginOf, me, other, resume } from '../lib/session.js';
import { Button } from '../ui/button.js';
import { AtopDialogs, Dialog } from '../ui/dialog.js';
import { TextField } from '../ui/field.js';

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
      <a class="button" href={`${prefix}/login`} target="_blank" rel="noreferrer">
        By a provider
      </a>
      {isOpen.value && <SignInForm onClose={() => (isOpen.value = false)} />}
    </div>
  );
}

const Nothing = () => null;

/** Whoever signs in as somebody else goes on with another page, which has nothing of this one. */
export function SignInForm({ onClose }: { readonly onClose: () => void }) {
  const before = me.value === undefined ? '' : loginOf(me.value);
  const [user, password, problem] = [useSignal(before), useSignal(''), useSignal<string | undefined>(undefined)];
  const isBusy = useSignal(false);
  const signIn = async (): Promise<void> => {
    isBusy.value = true;
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
  const { message = 'The login or the password is wrong.' } = (await response.json().catch(() => ({}))) as {
    message?: string;
  };
  throw new ApiError(response.status, message);
}
