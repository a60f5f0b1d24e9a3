import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { connectionOf } from '../../apis/iam/ssosetting/legacy/connection.js';
import { testPki } from '../../pkg/http/testing/harness.js';
import type { Pki } from '../../pkg/identity/certs/pki.js';
import { type ConnectionCheck, checkConnection } from '../../pkg/identity/signon/connection.js';
import { providerGuard, type Reach } from '../../pkg/identity/signon/reach.js';
import { OAuthSettings, type OAuthType } from '../../pkg/identity/signon/settings.js';
import { unreachable } from '../../pkg/identity/signon/unreachable.js';
import { EMPTY_VALUES, type SignOnKey } from '../../pkg/identity/signon/values.js';
import { accepted } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { closed, listen } from './openid-provider.js';
import { LEGACY, signOnCalls } from './settings.js';

type Settings = Readonly<Record<string, unknown>>;

/** The same address in all settings. */
const at = (url: string): Settings => ({ clientId: 'client', authUrl: url, tokenUrl: url, apiUrl: url });
const patient = (): AbortSignal => new AbortController().signal;
const LOOPBACK = { guard: providerGuard(['127.0.0.0/8']), ofOperator: new Set<SignOnKey>() };
const direct = (given: Settings, type: OAuthType = 'generic_oauth', patience = 5000, reach: Reach = LOOPBACK) =>
  checkConnection({ type, settings: OAuthSettings.parse(given), reach }, patient(), patience);
const messages = (checks: readonly ConnectionCheck[]): readonly string[] => [
  ...new Set(checks.map(({ ok, message }) => `${ok} ${message}`)),
];

const BROWSERS = 'Only browsers go there, so people may reach it all the same.';
/** The checks of `at` if all fail with this message. */
const failed = (message: string): readonly string[] => [`false ${message} ${BROWSERS}`, `false ${message}`];

const suite = (server: () => Server): void => {
  const { put, end } = signOnCalls(server);
  const ask = (name: string) => server().call('POST', `${LEGACY}/${name}/test`);
  const checksOf = async (name: string): Promise<readonly ConnectionCheck[]> =>
    (JSON.parse(accepted(await ask(name), 200).text) as { checks: readonly ConnectionCheck[] }).checks;
  /** Stores settings, and tests them. */
  const tested = async (settings: Settings): Promise<readonly ConnectionCheck[]> => {
    accepted(await put('okta', settings), 204);
    return checksOf('okta');
  };

  // Promise: specification 4.10
  it('asks each address once, without credentials, and tells which hosts answer and nothing else of them', async () => {
    const asked: unknown[] = [];
    const statuses = new Map([
      ['/auth', 302],
      ['/token', 405],
      ['/me', 401],
    ]);
    const provider = await listen(({ method, url = '', headers }, response) => {
      asked.push([method, url, headers.authorization, headers.cookie]);
      response.writeHead(statuses.get(url) ?? 404, { 'x-of': 'secret-header', location: '/secret-place' }).end();
    });
    const { url } = provider;
    const addresses = { authUrl: `${url}/auth`, tokenUrl: `${url}/token`, apiUrl: `${url}/me` };
    accepted(await put('okta', { clientId: 'client', clientSecret: 'secret-text', ...addresses }), 204);
    const { text } = accepted(await ask('okta'), 200);
    const one = { host: new URL(url).host, ok: true, message: 'It answers.' };
    expect(JSON.parse(text)).to.deep.equal({
      checks: ['authUrl', 'tokenUrl', 'apiUrl'].map((name) => ({ name, ...one })),
    });
    expect(asked).to.have.deep.members(
      [...statuses.keys()].map((path) => [path === '/token' ? 'POST' : 'HEAD', path, undefined, undefined] as const),
    );
    expect(text).to.not.contain('secret');
    await closed(provider.server);
  });

  it('asks the token address as a sign-in does, because some providers answer 404 to everything else', async () => {
    let body = '';
    const provider = await listen((request, response) => {
      const isSignIn =
        request.method === 'POST' && /^application\/x-www-form/.test(request.headers['content-type'] ?? '');
      if (isSignIn) request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => response.writeHead(request.url !== '/token' || isSignIn ? 400 : 404).end()).resume();
    });
    const { url } = provider;
    const [, token] = await tested({ ...at(`${url}/`), tokenUrl: `${url}/token`, clientSecret: 'secret-text' });
    expect([token?.message, body]).to.deep.equal(['It answers.', 'grant_type=authorization_code']);
    await closed(provider.server);
  });

  it('doubts answers of wrong paths, of servers out of order, and those that lead elsewhere', async () => {
    const provider = await listen(({ url }, response) => response.writeHead(Number(url?.slice(1))).end('<html>{'));
    const { url } = provider;
    const told = async (status: number) => (await tested(at(`${url}/${status}`))).map(({ message }) => message);
    const missing = 'It answers, but with 404 (Not Found). Check the path.';
    expect(await told(404)).to.deep.equal([
      missing,
      `${missing} Some providers answer so to everything but a sign-in.`,
      missing,
    ]);
    expect(new Set(await told(503))).to.deep.equal(
      new Set(['It answers, but with 503 (Service Unavailable). It may be out of order.']),
    );
    const moved = 'It answers, but with 301 (Moved Permanently). Sign-ins do not follow it to another address.';
    expect(await told(301)).to.deep.equal(['It answers.', moved, moved]);
    expect(messages(await tested(at(`${url}/400`)))).to.deep.equal(['true It answers.']);
    await closed(provider.server);
  });

  it('tells which settings are missing, and tests a provider that is off', async () => {
    await end('generic_oauth');
    expect(await checksOf('generic_oauth')).to.deep.equal([
      { name: 'clientId', host: '', ok: false, message: 'It is not set.' },
      { name: 'authUrl', host: '', ok: false, message: 'It is not set.' },
      { name: 'tokenUrl', host: '', ok: false, message: 'It is not set.' },
      { name: 'apiUrl', host: '', ok: true, message: 'It is not set. The ID token alone tells who somebody is.' },
    ]);
    expect(messages(await checksOf('saml'))).to.deep.equal([
      'false SAML needs server.root_url, because assertions are for this address.',
      'false One of idp_metadata, idp_metadata_path and idp_metadata_url is needed.',
    ]);
  });

  // Promise: specification 4.10
  it('gets 404 for a provider that does not exist, or is not stored', async () => {
    for (const name of ['gitea', 'okta-none', '__proto__'])
      expect(accepted(await ask(name), 404).json()).to.include({ messageId: 'sso.notFound' });
  });

  describe('over TLS', () => {
    let pki: Pki;
    let secure: https.Server;
    let url = '';
    before(async () => {
      pki = await testPki();
      const { key, certificate: cert } = pki.server;
      const asksForCertificate = { ca: pki.ca, requestCert: true, rejectUnauthorized: false };
      secure = https.createServer({ key, cert, ...asksForCertificate }, (request, response) => {
        const { authorized } = request.socket as import('node:tls').TLSSocket;
        response.writeHead(authorized ? 200 : 503).end();
      });
      await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
      url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`;
    });
    after(() => {
      secure.closeAllConnections();
      secure.close();
    });

    it('uses the authority and the client certificate of the settings', async () => {
      const tls = { tlsClientCa: pki.ca, tlsClientCert: pki.admin.certificate, tlsClientKey: pki.admin.key };
      expect(messages(await tested({ ...at(url), ...tls }))).to.deep.equal(['true It answers.']);
      const [without] = messages(await tested({ ...at(url), tlsClientCa: pki.ca }));
      expect(without).to.contain('503');
    });

    it('does not trust a certificate of another authority, unless the settings say so', async () => {
      const message =
        'Its certificate is of an authority that this server does not trust. If it is your own authority, set tlsClientCa.';
      expect(messages(await tested(at(url)))).to.deep.equal(failed(message));
      const [first] = messages(await tested({ ...at(url), tlsSkipVerifyInsecure: true }));
      expect(first).to.match(/^true .* Its certificate is not checked, because tlsSkipVerifyInsecure is set\.$/);
    });
  });

  it('tells failures of DNS, of the connection and of the protocol apart', async () => {
    const told = async (url: string) => (await tested(at(url)))[1];
    const nowhere = `${'x'.repeat(64)}.invalid`;
    expect(await told(`https://${nowhere}/`)).to.deep.equal({
      name: 'tokenUrl',
      host: nowhere,
      ok: false,
      message: 'DNS does not know the host.',
    });
    const provider = await listen((_, response) => response.end());
    expect((await told(provider.url.replace('http:', 'https:')))?.message).to.match(/^TLS failed \(\w+\)\.$/);
    await closed(provider.server);
    expect((await told(provider.url))?.message).to.equal(
      'The host refuses the connection: nothing listens at this port.',
    );
    const strange = net.createServer((socket) => socket.end('SSH-2.0-strange\r\n'));
    await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
    const { port } = strange.address() as AddressInfo;
    expect((await told(`http://127.0.0.1:${port}/`))?.message).to.match(
      /^Something answers, but not in HTTP \(HPE_\w+\)\.$/,
    );
    strange.close();
  });
};

oneStore('POST /api/v1/sso-settings/:provider/test', suite, { providerNetworks: ['127.0.0.0/8'] });

describe('the test of a connection', () => {
  it('ends although nothing answers', async () => {
    const provider = await listen(() => undefined);
    expect(messages(await direct(at(provider.url), 'okta', 50))).to.deep.equal(failed('It did not answer in time.'));
    await closed(provider.server);
  });

  it('asks nothing without TLS outside of this machine, as sign-ins do not', async () => {
    expect(messages(await direct(at('http://203.0.113.1/')))).to.deep.equal(
      failed('It is not an https:// address, and only this machine may be asked without.'),
    );
    expect(messages(await direct(at('nonsense')))).to.deep.equal(['false It is not an address.']);
  });

  it('asks what sign-ins would ask: the address of teams, and with GitLab the one that knows people', async () => {
    const asked: string[] = [];
    const provider = await listen(({ url = '' }, response) => {
      asked.push(url);
      response.end();
    });
    const { url } = provider;
    await direct({ ...at(`${url}/api/v4`), scopes: 'openid' }, 'gitlab');
    await direct({ ...at(`${url}/api/v4`), scopes: 'read_api' }, 'gitlab');
    expect(asked).to.include.members(['/oauth/userinfo', '/api/v4/user']);
    const teams = { teamIds: '1', teamsUrl: `${url}/teams`, apiUrl: '' };
    const [, , user, team] = await direct({ ...at(`${url}/`), ...teams });
    expect([user?.ok, team?.name, team?.ok]).to.deep.equal([false, 'teamsUrl', true]);
    await closed(provider.server);
  });

  it('tells of files and secrets that cannot be read, and of certificates for other hosts', async () => {
    const files = { ...at('http://127.0.0.1:1/'), tlsClientCa: '/no/such/file' };
    expect((await direct(files))[1]?.message).to.equal(
      'tls_client_ca, tls_client_cert or tls_client_key names a file that cannot be read.',
    );
    const found = { provider: 'okta', type: 'okta', id: '', source: 'database', values: EMPTY_VALUES } as const;
    const [secret] = await connectionOf({ ...found, reach: LOOPBACK, unreadable: ['clientSecret'] }, {}, patient(), 0);
    expect(secret?.message).to.equal('It is stored, but cannot be decrypted with security.secret_key.');
    const ofOther = Object.assign(new Error('x'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(unreachable(ofOther)).to.equal('Its certificate is for another host.');
    expect(unreachable(Object.assign(new Error('x'), { code: 'EODD' }))).to.equal('It cannot be reached (EODD).');
  });
});
