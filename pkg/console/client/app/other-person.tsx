import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { loginOf, me, other, resume } from '../lib/session.js';
import { Button } from '../ui/button.js';
import { keepInside } from '../ui/focus.js';
import { SignInForm } from './sign-in-again.js';

/**
 * Covers the page of one person while the session is that of another, who may not see it. Both can go on: what was
 * typed is there again when the first one signs in.
 */
export function OtherPerson() {
  const [now, before] = [other.value, me.value];
  return now === undefined || before === undefined ? null : <Cover now={loginOf(now)} before={loginOf(before)} />;
}

function Cover({ now, before }: { readonly now: string; readonly before: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [id, isSigningIn] = [useId(), useSignal(false)];
  useEffect(() => {
    dialog.current?.showModal();
    // The first person may have signed in again in another tab.
    const look = (): void => void resume().catch(() => undefined);
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onKeyDown={(event) => keepInside(event.currentTarget, event)}
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog after two cancelled attempts.
      onClose={(event) => event.target === dialog.current && dialog.current?.showModal()}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={id}>You are signed in as {now}</h2>
        </header>
        <div class="dialog-body stack">
          <p>
            This page was opened by {before}. Nothing of it is done or shown while the session is that of {now}.
          </p>
        </div>
        <footer class="dialog-foot">
          <Button onPress={() => (isSigningIn.value = true)}>Sign in as {before}</Button>
          <Button look="primary" onPress={() => location.reload()}>
            Go on as {now}
          </Button>
        </footer>
      </div>
      {isSigningIn.value && <SignInForm onClose={() => (isSigningIn.value = false)} />}
    </dialog>
  );
}
