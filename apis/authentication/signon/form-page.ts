import { createHash } from 'node:crypto';
import type { ApiResponse } from '../../../pkg/http/handler.js';
import { escaped } from '../plain-page.js';

const SCRIPT = 'document.forms[0].submit()';
const hash = createHash('sha256').update(SCRIPT).digest('base64');
/** Browsers apply form-action to redirects, too, and a provider may redirect to any host. So it is not limited. */
const POLICY = `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`;

/** A page that posts a form to another page, at once or without scripts when the person presses the button. */
export function formPage(
  action: string,
  fields: Readonly<Record<string, string>>,
  cookies: readonly string[] = [],
): ApiResponse {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in · Dashboards</title></head>
<body>
<form method="post" action="${escaped(action)}">
${inputs.join('\n')}
<noscript><button type="submit">Go on</button></noscript>
</form>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      // Without a referrer, browsers name no origin when they send the form.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(html),
  };
}
