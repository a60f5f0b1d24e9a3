import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { expect } from 'chai';
import { rotate } from '../../cmd/adminctl/rotate.js';
import { loadConfig } from '../../pkg/config/load.js';
import { startServer, type TestServer } from './harness.js';
import { eventually } from './process.js';
import { SERVER_STORES, storeSettings } from './stores.js';

const USERS = '/apis/iam.svc.app/v1beta1/users';

/** The credentials in a kubeconfig, or a bearer token. */
interface Credentials {
  readonly ca: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly token?: string;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

const dataOf = ({ folder }: TestServer): string => join(folder, 'data');

async function kubeconfigOf(server: TestServer): Promise<Credentials> {
  const { clusters, users } = JSON.parse(await readFile(join(dataOf(server), 'kubeconfig'), 'utf8')) as Kubeconfig;
  const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64');
  const { user = {} } = users[0] ?? {};
  return {
    ca: bytes(clusters[0]?.cluster['certificate-authority-data']),
    cert: bytes(user['client-certificate-data']),
    key: bytes(user['client-key-data']),
  };
}

async function tokenOf(server: TestServer): Promise<Credentials> {
  const { ca } = await kubeconfigOf(server);
  return { ca, token: (await readFile(join(dataOf(server), 'admin.token'), 'utf8')).trim() };
}

/** The status of the answer, or the code of the error of the connection. */
async function statusOf(server: TestServer, { token, ...tls }: Credentials, agent?: Agent): Promise<number | string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = httpsRequest(new URL(USERS, server.httpsUrl), { ...tls, headers, agent: agent ?? false });
  request.end();
  try {
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed';
  }
}

/** Starts a watch. The result resolves when the server ends it. */
async function watch(
  server: TestServer,
  { token, ...tls }: Credentials,
): Promise<{ readonly ended: Promise<unknown> }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = httpsRequest(new URL(`${USERS}?watch=1`, server.httpsUrl), { ...tls, headers, agent: false });
  request.end();
  const [response] = await once(request, 'response');
  expect(response.statusCode).to.equal(200);
  response.on('error', () => undefined).resume();
  return { ended: once(response, 'close') };
}

/** How often the answer must be the expected one in a row, because workers load new keys at different times. */
const TIMES = 4;

const becomes = (status: number | string, ask: () => Promise<number | string>): Promise<unknown> => {
  let last: number | string = '';
  const attempt = async () => {
    for (let i = 0; i < TIMES; i++) {
      last = await ask();
      if (last !== status) return undefined;
    }
    return last;
  };
  return eventually(attempt, () => `${last} instead of ${status}`, 15_000);
};

function rotateOn(server: TestServer, settings: Readonly<Record<string, string>>, what: string, isFinish = false) {
  const all = { ...settings, 'paths.data': dataOf(server) };
  const argv = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
  const config = loadConfig({ argv, env: {}, readFile: () => '' });
  return rotate({ settings: config.settings, what: what as 'ca', isFinish, key: undefined });
}

/** The errors of a client that knows only the old authority. */
const UNKNOWN_CA = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
];

describe('adminctl rotate', function () {
  this.timeout(60_000);
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  const run = (what: string, isFinish?: boolean) => rotateOn(server, {}, what, isFinish);

  it('admin-token replaces the token of a running server, and ends watches with the old one', async () => {
    const old = await tokenOf(server);
    const watching = await watch(server, old);
    await run('admin-token');
    await becomes(401, () => statusOf(server, old));
    expect(await statusOf(server, await tokenOf(server))).to.equal(200);
    await watching.ended;
  });

  // Promise: contract 7
  it('admin-certificate revokes the certificate, also on open connections, and writes a new kubeconfig', async () => {
    const old = await kubeconfigOf(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // An agent that resumes its TLS session in new connections.
    const resuming = new Agent({ keepAlive: false });
    for (const of of [agent, resuming, resuming]) expect(await statusOf(server, old, of)).to.equal(200);
    const watching = await watch(server, old);
    await run('admin-certificate');
    await becomes(401, () => statusOf(server, old, agent));
    await becomes(401, () => statusOf(server, old));
    expect([await statusOf(server, old), await statusOf(server, old, resuming)]).to.deep.equal([401, 401]);
    await becomes(200, async () => statusOf(server, await kubeconfigOf(server)));
    await watching.ended;
    agent.destroy();
  });

  it('ca keeps old clients working until it is finished, and new ones all the time', async () => {
    const old = await kubeconfigOf(server);
    await run('ca');
    const both = await eventually(
      async () => {
        const now = await kubeconfigOf(server);
        return now.ca.equals(old.ca) ? undefined : now;
      },
      () => 'the kubeconfig is not new',
    );
    expect([await statusOf(server, old), await statusOf(server, both)]).to.deep.equal([200, 200]);
    expect(String(await run('ca').catch(String))).to.contain('is not finished');

    const watching = await watch(server, old);
    await run('ca', true);
    await becomes(401, () => statusOf(server, { ...old, ca: both.ca }));
    expect(UNKNOWN_CA).to.include(await statusOf(server, old));
    expect([await statusOf(server, both), await statusOf(server, await kubeconfigOf(server))]).to.deep.equal([
      200, 200,
    ]);
    await watching.ended;
    expect(String(await run('ca', true).catch(String))).to.contain('no rotation of the certificate authority');
  });

  it('secret-key encrypts the secrets of a running server under a new key, and it goes on reading and writing them', async () => {
    const file = join(dataOf(server), 'secret.key');
    const version = await storeSecret(server);
    const old = await readFile(file, 'utf8');
    expect(await run('secret-key')).to.contain('has the new key');
    expect(await readFile(file, 'utf8')).to.not.equal(old);
    expect(await storeSecret(server), 'the same secret is no change').to.equal(version);
    expect(await run('secret-key')).to.contain('has the new key');
    expect(await storeSecret(server)).to.equal(version);
    expect(String(await run('secret-key', true).catch(String))).to.contain('nothing to finish');
    await server.kill();
    expect(await run('secret-key'), 'without a server').to.contain('has the new key');
    await server.restart();
    expect(await storeSecret(server)).to.equal(version);
    expect(await storeSecret(server, 'another')).to.not.equal(version);
    expect(server.output()).to.not.contain(SECRET);
  });
});

const SECRET = 'the client secret of the tests';

/**
 * Stores the secret of a provider, and returns the version of the settings. It stays the same only if the server can
 * read the old secret.
 */
async function storeSecret(server: TestServer, clientSecret = SECRET): Promise<string> {
  const call = async (method: string, body?: unknown): Promise<{ status: number; text: string }> => {
    const headers = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`, ...JSON_TYPE };
    const path = method === 'PUT' ? '/api/v1/sso-settings/github' : '/apis/iam.svc.app/v1beta1/ssosettings/github';
    const answer = await fetch(server.httpUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const put = await call('PUT', { settings: { clientId: 'client', clientSecret } });
  expect(put.status, put.text).to.equal(204);
  const { text } = await call('GET');
  expect(text).to.not.contain(clientSecret);
  return JSON.parse(text).metadata.resourceVersion;
}

const JSON_TYPE = { 'content-type': 'application/json' };

if (SERVER_STORES.includes('mongodb')) {
  describe('adminctl rotate for two servers on one database', function () {
    this.timeout(120_000);
    let a: TestServer;
    let b: TestServer;
    let settings: Readonly<Record<string, string>>;

    before(async function () {
      settings = await storeSettings(this, 'mongodb');
      [a, b] = await Promise.all([startServer({ settings }), startServer({ settings })]);
    });
    after(() => Promise.all([a?.stop(), b?.stop()]));

    const both = async (of: Credentials) => [await statusOf(a, of), await statusOf(b, of)];
    const run = (what: string, isFinish?: boolean) => rotateOn(a, settings, what, isFinish);

    it('revokes client certificates on both at once, and both write new ones for both', async () => {
      const old = await kubeconfigOf(a);
      expect(await both(old)).to.deep.equal([200, 200]);
      await run('admin-certificate');
      expect(await both(old)).to.deep.equal([401, 401]);
      for (const server of [a, b]) {
        await becomes('200 200', async () => (await both(await kubeconfigOf(server))).join(' '));
      }
    });

    it('changes the authority of both while clients with the new kubeconfig go on', async () => {
      const old = await kubeconfigOf(b);
      await run('ca');
      await becomes('200 200', async () => {
        const now = await kubeconfigOf(b);
        return now.ca.equals(old.ca) ? '' : (await both(now)).join(' ');
      });
      const during = await kubeconfigOf(b);
      expect(await both(old)).to.deep.equal([200, 200]);
      await run('ca', true);
      await becomes('401 401', async () => (await both({ ...old, ca: during.ca })).join(' '));
      await becomes('200 200', async () => (await both(during)).join(' '));
    });

    it('keeps servers with the old secret key working until it is finished', async () => {
      const key = settings['security.secret_key'] ?? '';
      const next = 'the next secret key of the tests';
      const rotateKey = async (secret: string, isFinish: boolean) => {
        const argv = Object.entries({ ...settings, 'security.secret_key': secret }).map(
          ([name, value]) => `--${name}=${value}`,
        );
        const config = loadConfig({ argv, env: {}, readFile: () => '' });
        return rotate({ settings: config.settings, what: 'secret-key', isFinish, key: next }).catch(String);
      };
      const version = await storeSecret(a);
      expect(await rotateKey(key, false)).to.contain('Set security.secret_key to the new key');
      const third = await startServer({ settings: { ...settings, 'security.secret_key': next } });
      for (const server of [a, b, third]) expect(await storeSecret(server)).to.equal(version);
      expect(await rotateKey(key, true)).to.contain('security.secret_key is not the key');
      expect(await rotateKey(next, true)).to.contain('Nothing in the database');
      expect(await both(await kubeconfigOf(a))).to.deep.equal([200, 200]);
      expect(await storeSecret(third)).to.equal(version);
      await third.stop();
    });
  });
}
