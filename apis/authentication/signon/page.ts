import type { ApiResponse } from '../../../pkg/http/handler.js';
import { LEAST_CHOSEN } from '../../../pkg/identity/authn/password-policy.js';
import { FAILURES, isFailureCode } from '../../../pkg/identity/signon/failure.js';
import { escaped, plainPage } from '../plain-page.js';

/** An attempt to sign in by the form, which was refused. */
export interface Attempt {
  /** The status of the answer. */
  readonly status: number;
  /** What was typed. Passwords have to be typed again. */
  readonly login: string;
  /** Why, for people. */
  readonly message: string;
  /** Whether the person has to choose a new password. */
  readonly changesPassword: boolean;
  /** Seconds after which another attempt is let in. */
  readonly retryAfter?: number | undefined;
}

export interface SignInPage {
  /** The login of the user who is signed in. */
  readonly signedIn?: string | undefined;
  readonly providers: readonly { readonly provider: string; readonly name: string }[];
  /** A code of FAILURES; other text is not shown. */
  readonly error: string | null;
  readonly attempt?: Attempt;
  /** Where the browser goes afterwards, on this server. */
  readonly to: string;
  /** The path of `server.root_url`. */
  readonly root: string;
}

/** The page on which people sign in, and see that they are signed in. */
export function signInPage(page: SignInPage): ApiResponse {
  const content = page.signedIn === undefined ? formOf(page) : welcomeOf(page.signedIn, page.root);
  const { status = 200, retryAfter } = page.attempt ?? {};
  const more = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return plainPage({ title: 'Sign in', content, status, headers: more });
}

function welcomeOf(login: string, root: string): string {
  return `<h1>Signed in</h1>
<p>You are signed in as ${escaped(login)}.</p>
<nav><a href="${root}/">Go on</a>
<a href="${root}/logout">Sign out</a></nav>`;
}

function formOf({ error, attempt, providers, to, root }: SignInPage): string {
  const message = attempt?.message ?? (error !== null && isFailureCode(error) ? FAILURES[error] : undefined);
  const alert = message === undefined ? '' : `<p role="alert">${escaped(message)}</p>`;
  const changes = attempt?.changesPassword === true;
  // Who has typed a login has to type a password next.
  const login = attempt?.login ?? '';
  const [atLogin, atPassword] = login === '' ? [' autofocus', ''] : ['', ' autofocus'];
  return `<h1>${changes ? 'Choose a password' : 'Sign in'}</h1>
${alert}
<form method="post" action="${root}/login">
<label>Login or e-mail address <input name="user" autocomplete="username" maxlength="190" value="${escaped(login)}" required${atLogin}></label>
<label>${changes ? 'Present password' : 'Password'} <input name="password" type="password" autocomplete="current-password" maxlength="1000" required${atPassword}></label>
${changes ? NEW_PASSWORD : ''}
<input type="hidden" name="redirectTo" value="${escaped(to)}">
<button type="submit">${changes ? 'Change the password and sign in' : 'Sign in'}</button>
</form>
${buttonsOf(providers, to, root)}`;
}

const NEW_PASSWORD = `<label>New password <input name="newPassword" type="password" autocomplete="new-password" maxlength="1000" aria-describedby="rules" required></label>
<label>New password again <input name="newPasswordAgain" type="password" autocomplete="new-password" maxlength="1000" required></label>
<p id="rules">Choose one of at least ${LEAST_CHOSEN} characters that is not the present one, not your login, and not a common one.</p>`;

function buttonsOf(providers: SignInPage['providers'], to: string, root: string): string {
  if (providers.length === 0) return '';
  const links = providers.map(({ provider, name }) => {
    const href = escaped(`${root}/login/${provider}?redirectTo=${encodeURIComponent(to)}`);
    return `<a href="${href}">Sign in with ${escaped(name || provider)}</a>`;
  });
  return `<nav aria-label="Other ways to sign in">\n${links.join('\n')}\n</nav>`;
}
