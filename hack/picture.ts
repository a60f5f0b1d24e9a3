/**
 * Makes the picture of the console at the beginning of README.
 *   npx tsx hack/picture.ts [FILE]        by default docs/console.png
 * It starts a server with the objects of a small company on a store of its own, and a browser (hack/chromium.ts).
 */
import { resolve } from 'node:path';
import { build, startBuilt } from './bench/server.js';
import { launchChromium } from './chromium.js';

const [file = 'docs/console.png'] = process.argv.slice(2);
const root = resolve('.');
const SIZE = { width: 1280, height: 720 };
const ROOT = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';

/** The folders: name, title, and the folder in which each lies. */
const FOLDERS: readonly (readonly [name: string, title: string, parent?: string])[] = [
  ['operations', 'Operations'],
  ['network', 'Network', 'operations'],
  ['databases', 'Databases', 'operations'],
  ['on-call', 'On call', 'operations'],
  ['sales', 'Sales'],
  ['finance', 'Finance'],
  ['payroll', 'Payroll', 'finance'],
  ['research', 'Research'],
];
const TITLES = ['Requests and errors', 'Latency by region', 'Saturation', 'Backups', 'Cost of queries'];

await build(root);
const server = await startBuilt({ root });
try {
  await fill();
  await take();
} finally {
  await server.stop();
}

async function fill(): Promise<void> {
  for (const [name, title, parent] of FOLDERS) {
    const annotations = { ...(parent !== undefined && { 'svc.app/folder': parent }) };
    await post(ROOT, { metadata: { name, annotations }, spec: { title } });
  }
  for (const [index, title] of TITLES.entries()) {
    const metadata = { name: `board-${index}`, annotations: { 'svc.app/folder': 'operations' } };
    await post(DASHBOARDS, { metadata, spec: { title, tags: index % 2 === 0 ? ['slo'] : ['capacity'], panels: [] } });
  }
}

async function post(path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const isFolder = path === ROOT;
  const type = isFolder
    ? { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder' }
    : { apiVersion: 'dashboard.svc.app/v1beta1', kind: 'Dashboard' };
  const sent = { method: 'POST', headers, body: JSON.stringify({ ...type, ...body }) };
  const answer = await fetch(new URL(path, server.http), sent);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}

async function take(): Promise<void> {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ viewport: SIZE, locale: 'en-GB', deviceScaleFactor: 1.5 });
    await context.request.post(new URL('/login', server.http).href, { data: { user: 'admin', password: 'admin' } });
    const page = await context.newPage();
    await page.goto(new URL('/console/folders/operations', server.http).href);
    await page.getByText('Requests and errors').first().waitFor();
    await page.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}
