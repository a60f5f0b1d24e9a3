import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startServer, type TestServer } from '../e2e/harness.js';
import { ROOT } from '../e2e/process.js';
import { builtConsole } from './built.js';
import { type Fetched, fetchRaw } from './fetch-raw.js';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** The most bytes that are sent for the first view. */
const MOST_BYTES = 110 * 1024;

const hrefs = (html: string): readonly string[] =>
  [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path = '']) => path);
const basic = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };

describe('the console on the server', function suite() {
  this.timeout(120_000);
  let server: TestServer;
  before(async () => {
    await builtConsole();
    server = await startServer();
  });
  after(() => server.stop());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Fetched> =>
    fetchRaw(`${server.httpUrl}${path}`, headers);
  const scripts = async () => hrefs((await get('/console')).text).filter((path) => path.endsWith('.js'));

  it('is one page at every path, for anyone', async () => {
    const page = await get('/console');
    expect([page.status, page.headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page.headers['cache-control']).to.equal('no-cache');
    expect(page.text).to.contain('<html lang="en">').and.to.contain('<title>Dashboards</title>');
    expect(page.text).to.contain('<base href="/console/">').and.to.contain('<noscript>');
    for (const path of ['/console/', '/console/folders/a%2Fb', '/console/kinds/x/y/z?q=%22', '/console/assets.js'])
      expect((await get(path)).text, path).to.equal(page.text);
    const tag = String(page.headers['etag']);
    expect((await get('/console/folders', { 'if-none-match': tag })).status).to.equal(304);
  });

  it('has a page with a way on for browsers at addresses that do not exist, and JSON for programs', async () => {
    const ask = (path: string, accept?: string) =>
      get(path, { ...basic, 'sec-fetch-site': 'none', ...(accept !== undefined && { accept }) });
    for (const path of ['/nothing', '/d/abc/orders', '/<b>x']) {
      const page = await ask(path, HTML);
      expect([page.status, page.headers['content-type']], path).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(page.text).to.contain('There is no such page').and.to.contain('<a href="/console">');
      expect(page.text).not.to.match(/<b>|<script|https?:/);
      expect(String(page.headers['vary'])).to.match(/accept/i);
      expect(String(page.headers['content-security-policy'])).to.contain("default-src 'none'");
      const status = await ask(path, 'application/json');
      expect([status.status, JSON.parse(status.text).kind], path).to.deep.equal([404, 'Status']);
      expect((await ask(path)).headers['content-type']).to.contain('json');
    }
    for (const path of ['/api/nothing', '/apis/nothing', '/apis/folder.svc.app/v1beta1/nothing', '/openapi/none'])
      expect((await ask(path, HTML)).headers['content-type'], path).not.to.contain('html');
    expect((await get('/d/abc', { accept: HTML })).text, 'for anybody').to.contain('There is no such page');
  });

  it('runs scripts of this server only, and nothing inline, and cannot be framed', async () => {
    const page = await get('/console');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).to.contain("default-src 'none'; script-src 'self'; style-src 'self'").and.not.contain('unsafe');
    expect(policy).to.contain("base-uri 'self'").and.to.contain("frame-ancestors 'none'");
    expect(page.text).to.not.match(/https?:|<script>|\son\w+=|<style/);
  });

  it('has files that browsers keep, because their names change with their content', async () => {
    const paths = hrefs((await get('/console')).text);
    expect(paths.filter((path) => /^assets\/(main-\w{8}\.js|first-\w{8}\.css)$/.test(path))).to.have.length(2);
    for (const path of paths) {
      const { status, headers } = await get(`/console/${path}`);
      expect([status, headers['cache-control']], path).to.deep.equal([200, 'public, max-age=31536000, immutable']);
      expect(headers['content-type']).to.match(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      expect(headers['x-content-type-options']).to.equal('nosniff');
    }
  });

  it('has scripts whose names change with what the server adds to them', async () => {
    const { stdout } = await promisify(execFile)('cksum', [join(ROOT, 'pkg/console/wait-for-style.ts')]);
    const [checksum] = stdout.split(' ');
    for (const path of await scripts())
      expect((await get(`/console/${path}`)).text).to.match(RegExp(`//${checksum}\\s*$`));
  });

  it('is sent in the encoding that the browser takes', async () => {
    const [path = ''] = await scripts();
    const as = (encoding: string) => get(`/console/${path}`, { 'accept-encoding': encoding });
    const [plain, gzip, br] = [await as('identity'), await as('gzip'), await as('gzip, deflate, br')];
    expect([plain, gzip, br].map(({ headers }) => headers['content-encoding'])).to.deep.equal([
      undefined,
      'gzip',
      'br',
    ]);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).to.equal(true);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).to.equal(true);
    expect(br.headers['vary']).to.equal('Accept-Encoding');
    expect(new Set([plain, gzip, br].map(({ headers }) => headers['etag'])).size).to.equal(3);
  });

  it('gets answers of the APIs compressed, also small ones, which programs get as they are', async () => {
    const encodings = async (more: Readonly<Record<string, string>>) => {
      const headers = { ...basic, 'accept-encoding': 'gzip', accept: DISCOVERY, ...more };
      const answers = [await get('/apis', headers), await get('/openapi/v2', headers)];
      return answers.map((answer) => answer.headers['content-encoding']);
    };
    expect(await encodings({ 'sec-fetch-mode': 'cors' })).to.deep.equal(['gzip', 'gzip']);
    expect(await encodings({})).to.deep.equal([undefined, 'gzip']);
  });

  it('has no other files', async () => {
    const [path = ''] = await scripts();
    const built = await readdir(join(ROOT, 'dist/console'));
    for (const name of [
      ...built.filter((file) => /^main-.*css$/.test(file)),
      'none.js',
      'meta.json',
      '../meta.json',
      '%2e%2e/meta.json',
      '',
      `${path.slice(7)}/x`,
      '__proto__',
    ])
      expect((await get(`/console/assets/${name}`)).status, name).to.be.oneOf(
        name.startsWith('../') ? [200, 404] : [404],
      );
    expect((await get('/console/assets')).status).to.equal(404);
    expect((await server.client.request('POST', '/console')).status).to.be.oneOf([404, 405]);
  });

  it('takes at most 110 KiB for the first view, with all that it imports', async () => {
    const page = await get('/console', { 'accept-encoding': 'br' });
    const paths = hrefs((await get('/console')).text);
    const files = await Promise.all(paths.map((path) => get(`/console/${path}`, { 'accept-encoding': 'br' })));
    const bytes = [page, ...files].reduce((sum, one) => sum + one.bytes.length, 0);
    expect(bytes).to.be.within(200, MOST_BYTES);
  });

  it('is where browsers are led to from the root, after they have signed in', async () => {
    const stranger = await get('/', { accept: HTML });
    expect([stranger.status, stranger.headers['location']]).to.deep.equal([302, '/login']);
    const known = await get('/', { accept: HTML, ...basic });
    expect([known.status, known.headers['location']]).to.deep.equal([302, '/console']);
    const program = await get('/', { accept: 'application/json', ...basic });
    expect(JSON.parse(program.text).paths).to.include('/console');
  });
});

describe('the console elsewhere', function suite() {
  this.timeout(120_000);
  before(builtConsole);

  const on = async (
    settings: Readonly<Record<string, string>>,
    test: (url: string) => Promise<void>,
  ): Promise<void> => {
    const server = await startServer({ settings });
    try {
      await test(server.httpUrl);
    } finally {
      await server.stop();
    }
  };

  it('is not there with console.enabled=false, and browsers are led to the documentation', () =>
    on({ 'console.enabled': 'false' }, async (url) => {
      for (const path of ['/console', '/console/folders'])
        expect((await fetchRaw(`${url}${path}`, { accept: HTML, ...basic })).status, path).to.equal(404);
      expect((await fetchRaw(`${url}/`, { accept: HTML, ...basic })).headers['location']).to.equal('/docs');
      expect(JSON.parse((await fetchRaw(`${url}/`, basic)).text).paths).to.not.include('/console');
    }));

  it('is shown to anonymous viewers', () =>
    on({ 'auth.anonymous.enabled': 'true' }, async (url) => {
      expect((await fetchRaw(`${url}/`, { accept: HTML })).headers['location']).to.equal('/console');
    }));

  it('works below the path of server.root_url, which a proxy takes away', () =>
    on({ 'server.root_url': 'http://localhost/team/dash/' }, async (url) => {
      expect((await fetchRaw(`${url}/console/folders`)).text).to.contain('<base href="/team/dash/console/">');
      expect((await fetchRaw(`${url}/`, { accept: HTML })).headers['location']).to.equal('/team/dash/login');
      expect((await fetchRaw(`${url}/`, { accept: HTML, ...basic })).headers['location']).to.equal(
        '/team/dash/console',
      );
      const login = await fetchRaw(`${url}/login?redirectTo=/team/dash/console/folders/a`);
      expect(login.text)
        .to.contain('action="/team/dash/login"')
        .and.to.contain('name="redirectTo" value="/team/dash/console/folders/a"');
      expect((await fetchRaw(`${url}/login`)).text).to.contain('name="redirectTo" value="/team/dash/"');
      const docs = await fetchRaw(`${url}/docs`);
      expect(docs.text).to.contain('src="/team/dash/docs/page.js"').and.to.contain('redirectTo=/team/dash/docs"');
      expect((await fetchRaw(`${url}/logout`, { 'sec-fetch-site': 'none' })).headers['location']).to.equal(
        '/team/dash/login',
      );
    }));
});
