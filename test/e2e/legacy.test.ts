import { join } from 'node:path';
import { expect } from 'chai';
import { startServer, type TestServer } from './harness.js';

/** Tests of the legacy API that need sockets and authentication. */
describe('the legacy API over HTTP', function suite() {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it('reports the health of the server to all callers', async () => {
    const answer = await fetch(`${server.httpUrl}/api/health`);
    expect(answer.status).to.equal(200);
    expect(await answer.json()).to.include({ database: 'ok' });
  });

  it('answers 401 in its own form to callers without credentials', async () => {
    for (const path of ['/api/folders', '/api/frontend/settings', '/api/nothing-here', '/bootdata']) {
      const answer = await fetch(`${server.httpUrl}${path}`);
      expect(answer.status, path).to.equal(401);
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=UTF-8');
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(await answer.json()).to.include({ messageId: 'auth.unauthorized', message: 'Unauthorized' });
    }
  });

  it('leaves the paths of the core group to the resource API, including failures', async () => {
    for (const path of ['/api', '/api/v1', '/api/v1/namespaces']) {
      const answer = await fetch(`${server.httpUrl}${path}`);
      expect(answer.status, path).to.equal(401);
      expect(await answer.json()).to.include({ kind: 'Status', reason: 'Unauthorized' });
    }
  });

  it('returns the settings of the server', async () => {
    const answer = await server.client.request('GET', '/api/admin/settings');
    expect(answer.status, answer.text).to.equal(200);
    const { paths, security } = answer.json() as Record<string, Record<string, string>>;
    expect(paths).to.include({ data: join(server.folder, 'data') });
    expect(security).to.include({ admin_user: 'admin' });
    expect(security?.['admin_password'] ?? '*********').to.equal('*********');
  });

  it('serves folders to the administrator, and answers HEAD without a body', async () => {
    const made = await server.client.request('POST', '/api/folders', { body: { uid: 'wire', title: 'On the wire' } });
    expect(made.status, made.text).to.equal(200);
    expect(made.headers['x-xss-protection']).to.equal('1; mode=block');
    expect(made.headers['content-type']).to.equal('application/json');
    const head = await server.client.request('HEAD', '/api/folders/wire');
    expect([head.status, head.text]).to.deep.equal([200, '']);
    const missing = await server.client.request('GET', '/api/folders/nothing-here');
    expect(missing.json()).to.deep.equal({ message: 'folder not found', status: 'not-found' });
  });
});
