import { createHash } from 'node:crypto';
import { designTokens, MARK } from '../../../pkg/console/tokens.js';
import type { ApiResponse } from '../../../pkg/http/handler.js';
import { FAILURES, isFailureCode } from '../../../pkg/identity/signon/failure.js';

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

const STYLE = `${designTokens()}
* { box-sizing: border-box; }
body { display: grid; min-height: 100vh; margin: 0; padding: var(--s4); place-items: center; background: var(--bg); color: var(--text); font: var(--f2) / 1.5 var(--font); }
main { width: 100%; max-width: 24rem; padding: var(--s6) var(--s5); border: 1px solid var(--border); border-radius: var(--r2); background: var(--surface); box-shadow: var(--shadow); overflow-wrap: anywhere; }
header { display: flex; gap: var(--s2); align-items: center; margin: 0 0 var(--s5); color: var(--accent); font-size: var(--f3); font-weight: 600; }
h1 { margin: 0; font-size: var(--f4); font-weight: 600; }
form, nav { display: grid; gap: var(--s4); margin-top: var(--s4); }
#rules { margin: 0; }
label { display: grid; gap: var(--s1); font-weight: 500; }
input, button, nav a { min-height: 2.75rem; padding: var(--s2) var(--s3); border: 1px solid var(--border-strong); border-radius: var(--r1); background: var(--surface); color: var(--text); font: inherit; }
input { width: 100%; font-size: var(--f3); font-weight: 400; }
button { border-color: var(--accent); background: var(--accent); color: var(--accent-text); font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.08); }
nav { gap: var(--s2); margin-top: var(--s5); padding-top: var(--s5); border-top: 1px solid var(--border); }
nav a { display: grid; place-items: center; text-align: center; text-decoration: none; }
nav a:hover { background: var(--surface-2); }
:is(input, button, a):focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
[role='alert'] { margin: var(--s4) 0 0; padding: var(--s2) var(--s3); border-left: 4px solid var(--danger); border-radius: var(--r1); background: var(--danger-soft); }
`;

const LOGO = `<svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">${MARK}</svg>`;

/** No scripts, nothing from other hosts, and no page of another site around it. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  // Without a referrer, browsers name no origin when they send the form.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** The page on which people sign in, and see that they are signed in. */
export function signInPage(page: SignInPage): ApiResponse {
  const content = page.signedIn === undefined ? formOf(page) : welcomeOf(page.signedIn, page.root);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in · Dashboards</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>${LOGO}Dashboards</header>
${content}
</main>
</body>
</html>
`;
  const { status = 200, retryAfter } = page.attempt ?? {};
  const headers = retryAfter === undefined ? HEADERS : { ...HEADERS, 'retry-after': String(retryAfter) };
  return { status, headers, body: Buffer.from(html) };
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
<p id="rules">Choose a long one that is not the present one, not your login, and not a common one.</p>`;

function buttonsOf(providers: SignInPage['providers'], to: string, root: string): string {
  if (providers.length === 0) return '';
  const links = providers.map(({ provider, name }) => {
    const href = escaped(`${root}/login/${provider}?redirectTo=${encodeURIComponent(to)}`);
    return `<a href="${href}">Sign in with ${escaped(name || provider)}</a>`;
  });
  return `<nav aria-label="Other ways to sign in">\n${links.join('\n')}\n</nav>`;
}
