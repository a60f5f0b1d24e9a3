import { expect } from 'chai';
import type { Handler } from './handler.js';
import { hostCheck } from './middleware/host-guard.js';
import { AUTHORIZED, ask1, startServer, type TestServer } from './testing/harness.js';

const tellClient: Handler = async ({ client }) => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(client)),
});

describe('the client of a request', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());
  const FORWARDED = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7', 'x-forwarded-proto': 'https' };

  async function clientWith(trustedProxies: readonly string[], headers: Readonly<Record<string, string | string[]>>) {
    server = await startServer(tellClient, { trustedProxies });
    const { body } = await ask1(server, '/apis', { headers: { ...AUTHORIZED, ...headers } }, 'plain');
    return JSON.parse(body.toString());
  }

  it('is the other end of the connection, whatever untrusted clients say', async () => {
    expect(await clientWith([], FORWARDED)).to.deep.equal({ remoteAddress: '127.0.0.1', isSecure: false });
    await server?.close();
    expect(await clientWith(['10.0.0.0/8'], FORWARDED)).to.deep.equal({ remoteAddress: '127.0.0.1', isSecure: false });
  });

  it('is the one that a trusted proxy names', async () => {
    const client = await clientWith(['127.0.0.1'], FORWARDED);
    expect(client).to.deep.equal({ remoteAddress: '198.51.100.7', isSecure: true });
  });

  it('is read from repeated headers, too', async () => {
    const client = await clientWith(['127.0.0.1'], { 'x-forwarded-for': ['198.51.100.7', '127.0.0.1'] });
    expect(client).to.deep.equal({ remoteAddress: '198.51.100.7', isSecure: false });
  });

  it('does not become secure for the check of host names, because a page can set the header', async () => {
    server = await startServer(tellClient, { trustedProxies: ['127.0.0.1'], isOurHost: hostCheck([]) });
    const headers = { ...AUTHORIZED, ...FORWARDED, host: 'evil.example' };
    expect((await ask1(server, '/apis', { headers }, 'plain')).status).to.equal(421);
  });
});
