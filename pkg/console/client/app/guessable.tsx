import { signal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from './places.js';

/** How the sign-in page says that the password is the login. */
const HASH = '#guessable-password';
const KEY = 'console.guessable-password';

/** Whether the person signed in with a password that is the login, such as `admin` of a new server. */
export const isGuessable = signal(sessionStorage.getItem(KEY) !== null);

/** Takes it from the address, so that a copied link does not have it. */
export function noteGuessable(): void {
  if (location.hash !== HASH) return;
  sessionStorage.setItem(KEY, '');
  isGuessable.value = true;
  history.replaceState(null, '', location.pathname + location.search);
}

export function passwordChanged(): void {
  sessionStorage.removeItem(KEY);
  isGuessable.value = false;
}

/** The warning, until the password is changed. */
export function GuessablePassword() {
  if (!isGuessable.value) return null;
  return (
    <div class="banner" role="status">
      <span class="grow">Your password is your login. Everybody who knows the one knows the other.</span>
      <Link class="button primary" href={places.account()}>
        Change the password
      </Link>
    </div>
  );
}
