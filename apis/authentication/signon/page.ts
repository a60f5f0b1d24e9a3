import { createHash } from 'node:crypto';
import type { ApiResponse } from '../../../pkg/http/handler.js';
import { FAILURES, isFailureCode } from '../../../pkg/signon/failure.js';

/** What the sign-in page shows. */
export interface SignInPage {
  /** The login of the user who is signed in. */
  readonly signedIn?: string | undefined;
  readonly providers: readonly { readonly provider: string; readonly name: string }[];
  /** A code of FAILURES; other text is not shown. */
  readonly error: string | null;
  /** Where the browser goes afterwards, on this server. */
  readonly to: string;
}

const STYLE = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { display: grid; min-height: 100vh; margin: 0; place-items: center; }
main { width: min(22rem, calc(100vw - 3rem)); }
form, nav { display: grid; gap: 0.75rem; margin-top: 1rem; }
label { display: grid; gap: 0.25rem; }
input, button, nav a { font: inherit; padding: 0.5rem 0.75rem; border: 1px solid; border-radius: 0.25rem; }
nav a { color: inherit; text-align: center; text-decoration: none; }
[role='alert'] { padding: 0.5rem 0.75rem; border-left: 0.25rem solid #c4162a; }
`;

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
  const content = page.signedIn === undefined ? formOf(page) : welcomeOf(page.signedIn);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return { status: 200, headers: HEADERS, body: Buffer.from(html) };
}

function welcomeOf(login: string): string {
  return `<h1>Signed in</h1>
<p>You are signed in as ${escaped(login)}.</p>
<nav><a href="/logout">Sign out</a></nav>`;
}

function formOf({ error, providers, to }: SignInPage): string {
  const alert = error !== null && isFailureCode(error) ? `<p role="alert">${escaped(FAILURES[error])}</p>` : '';
  return `<h1>Sign in</h1>
${alert}
<form method="post" action="/login">
<label>Login or e-mail address <input name="user" autocomplete="username" maxlength="190" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" maxlength="1000" required></label>
<input type="hidden" name="redirectTo" value="${escaped(to)}">
<button type="submit">Sign in</button>
</form>
${buttonsOf(providers, to)}`;
}

function buttonsOf(providers: SignInPage['providers'], to: string): string {
  if (providers.length === 0) return '';
  const links = providers.map(({ provider, name }) => {
    const href = escaped(`/login/${provider}?redirectTo=${encodeURIComponent(to)}`);
    return `<a href="${href}">Sign in with ${escaped(name || provider)}</a>`;
  });
  return `<nav aria-label="Other ways to sign in">\n${links.join('\n')}\n</nav>`;
}
