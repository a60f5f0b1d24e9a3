import type { ConsoleFiles } from './files.js';
import { MARK } from './mark.js';

/** A tab of the browser is light or dark, and this colour can be seen on both. */
const ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#6673e5">${MARK}</svg>`)}`;

/** What is shown until the scripts are there: the frame, and lines in place of the page. */
const WAITING = `<div class="shell"><div class="head"></div><div class="nav"></div>
<div class="main"><div class="page"><div class="skeleton" role="status" aria-label="Loading">${'<div class="skeleton-row"></div>'.repeat(8)}</div></div></div></div>`;

/**
 * The page of the console, which is the same for everybody and at every path. `root` is the path of `server.root_url`.
 */
export function consolePage({ script, style, laterStyles, imported }: ConsoleFiles, root: string): string {
  const at = (name: string): string => `assets/${name}`;
  const early = imported.map((name) => `<link rel="modulepreload" href="${at(name)}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dashboards</title>
<base href="${root}/console/">
<link rel="icon" href="${ICON}">
<meta name="styles" content='${JSON.stringify(Object.fromEntries(laterStyles))}'>
<link rel="stylesheet" href="${at(style)}">
${early.join('\n')}
<script type="module" src="${at(script)}"></script>
</head>
<body>
<div id="app">${WAITING}</div>
<noscript><p>This page needs JavaScript. All that it does can also be done with the APIs: see <a href="../docs">the documentation</a>.</p></noscript>
</body>
</html>
`;
}
