import { effect, signal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { me } from '../lib/session.js';
import { Button } from '../ui/button.js';
import { places } from './places.js';

/** How the sign-in page says that the password is the login. */
const HASH = '#guessable-password';
const KEY = 'console.guessable-password';

/** Whether the person signed in with a password that is the login, such as `admin` of a new server. */
const isGuessable = signal(false);

/** Takes it from the address, so that a copied link does not have it. It is kept for this person and this tab only. */
export function noteGuessable(): void {
  effect(() => {
    isGuessable.value = me.value !== undefined && sessionStorage.getItem(KEY) === me.value.username;
  });
  if (location.hash !== HASH) return;
  const forget = effect(() => {
    if (me.value === undefined) return;
    sessionStorage.setItem(KEY, me.value.username);
    isGuessable.value = true;
    queueMicrotask(() => forget());
  });
  history.replaceState(null, '', location.pathname + location.search);
}

export function forgetGuessable(): void {
  sessionStorage.removeItem(KEY);
  isGuessable.value = false;
}

/** The warning, until the password is changed or the person has seen it. */
export function GuessablePassword() {
  if (!isGuessable.value) return null;
  return (
    <div class="banner" role="status">
      <span class="grow">Your password is your login. Everybody who knows the one knows the other.</span>
      <Link class="button primary" href={places.account()}>
        Change the password
      </Link>
      <Button onPress={forgetGuessable}>Not now</Button>
    </div>
  );
}
