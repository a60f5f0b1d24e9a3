import { createHash } from 'node:crypto';
import { designTokens, MARK } from '../../pkg/console/tokens.js';
import type { ApiResponse } from '../../pkg/http/handler.js';

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
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

export interface PlainPage {
  readonly title: string;
  /** HTML. */
  readonly content: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page for people without scripts, which needs no other file. */
export function plainPage({ title, content, status = 200, headers = {} }: PlainPage): ApiResponse {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Dashboards</title>
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
  return { status, headers: { ...HEADERS, ...headers }, body: Buffer.from(html) };
}
