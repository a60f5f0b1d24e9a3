import { expect } from 'chai';
import { startServer, type TestServer } from './harness.js';

/** The root and the documentation page over plain HTTP. `documentation-page.test.ts` opens the page in a browser. */
describe('the root and the documentation', function suite() {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const basic = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${server.httpUrl}${path}`, { headers, redirect: 'manual' });

  it('leads browsers to the console, or to the sign-in page', async () => {
    const [stranger, wrong] = [await get('/', { accept: HTML }), { accept: HTML, cookie: 'grafana_session=none' }];
    expect([stranger.status, stranger.headers.get('location')]).to.deep.equal([302, '/login']);
    expect((await get('/', wrong)).headers.get('location')).to.equal('/login');
    const known = await get('/', { accept: HTML, authorization: basic });
    expect([known.status, known.headers.get('location')]).to.deep.equal([302, '/console']);
  });

  // Promise: contract 1.3
  it('gives programs the paths of the server, if they may call it', async () => {
    for (const accept of ['*/*', 'application/json', '']) {
      const answer = await server.client.request('GET', '/', { headers: { accept } });
      expect(answer.status, answer.text).to.equal(200);
      const { paths } = answer.json<{ paths: string[] }>();
      expect(paths).to.include.members(['/api', '/apis', '/apis/folder.svc.app/v1beta1', '/docs', '/healthz']);
      expect(paths).to.include.members(['/openapi/v2', '/openapi/v3', '/openapi/legacy', '/openapi/scim']);
      expect(paths).to.deep.equal([...new Set(paths)].sort());
    }
    const stranger = await get('/', { accept: 'application/json' });
    expect(stranger.status).to.equal(401);
    expect(await stranger.text())
      .to.contain('Unauthorized')
      .and.not.contain('folder');
    expect((await server.client.request('POST', '/')).status).to.be.oneOf([404, 405]);
  });

  it('has documents at the paths that it lists', async () => {
    const { paths } = (await server.client.request('GET', '/')).json<{ paths: string[] }>();
    for (const path of paths.filter((one) => /^\/(openapi|apis\/[^/]+app|docs)/.test(one)))
      expect((await server.client.request('GET', path)).status, path).to.equal(200);
  });

  it('serves the page to anyone, with scripts of this server only', async () => {
    const page = await get('/docs');
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).to.contain("default-src 'none'; script-src 'self'; style-src 'self'").and.not.contain('unsafe');
    expect(policy).to.contain("frame-ancestors 'none'");
    const html = await page.text();
    expect(html).to.not.match(/https?:|<script>|\son\w+=|<style/);
    for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g))
      expect((await get(path)).status, path).to.equal(200);
    expect((await get('/openapi/legacy')).status).to.equal(401);
    expect((await get('/docs/none')).status).to.equal(404);
    expect((await get('/docs/../package.json')).status).to.not.equal(200);
  });

  it('compresses the files for clients that take it, and does not send them again', async () => {
    const path = '/docs/swagger-ui-bundle.js';
    const plain = await server.client.request('GET', path, { headers: { 'accept-encoding': 'identity' } });
    const packed = await get(path, { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).to.equal('gzip');
    expect(Number(packed.headers.get('content-length'))).to.be.lessThan(Buffer.byteLength(plain.text) / 3);
    expect(await packed.text()).to.equal(plain.text);
    expect(plain.headers).to.include({ vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
    expect(plain.headers).to.not.have.property('content-encoding');
    expect(plain.headers['etag']).to.not.equal(packed.headers.get('etag'));
    const tag = packed.headers.get('etag') ?? '';
    expect((await get(path, { 'accept-encoding': 'gzip', 'if-none-match': tag })).status).to.equal(304);
    const tiny = await get('/docs/page.js', { 'accept-encoding': 'gzip;q=0' });
    expect(tiny.headers.get('content-encoding')).to.equal(null);
  });
});
