import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ADMINISTRATOR, addPeople, EDITOR, VIEWER } from '../access/people.js';
import { ADMIN } from '../harness/server.js';
import { eachStore, TOKEN } from './world.js';

const REVIEWS = '/apis/mirror.svc.app/v1beta1/namespaces/default/mirrorreviews';

interface Review {
  readonly spec: { readonly credential: object };
  readonly status: {
    readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[];
    readonly version?: string;
    readonly organization?: string;
    readonly folders?: number;
    readonly writable?: boolean;
  };
}

eachStore('a test of a connection to another server', (world) => {
  afterEach(() => {
    expect(world().proxy.wrong).to.deep.equal([]);
    world().proxy.fault = () => undefined;
    world().proxy.requests.length = 0;
  });

  const ask = (spec: object = {}, user = ADMIN) =>
    world().here.call('POST', REVIEWS, {
      user,
      body: { spec: { address: world().proxy.url, credential: { token: TOKEN }, ...spec } },
    });
  const review = async (spec: object = {}): Promise<Review> => {
    const answer = await ask(spec);
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.text).not.to.contain(TOKEN);
    return answer.json() as unknown as Review;
  };
  const failures = async (spec: object = {}): Promise<readonly string[]> =>
    (await review(spec)).status.checks.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message}`);

  it('says what it has found, changes nothing there, and sends the credential after the server has shown what it is', async () => {
    const { put, proxy, there } = world();
    await there.call('POST', '/api/folders', { body: { uid: 'north', title: 'North' } });
    const { spec, status } = await review({ teams: true, preferences: true });
    expect(spec.credential).to.deep.equal({});
    expect(status.checks.map(({ name, ok }) => [name, ok])).to.deep.equal(
      ['server', 'credential', 'reading', 'writing'].map((name) => [name, true]),
    );
    expect(status).to.include({ folders: 1, writable: true, organization: 'Main Org.' });
    expect(status.version).to.match(/^\d+\.\d+/);
    const [first, ...others] = proxy.requests;
    expect([first?.route, first?.headers.authorization]).to.deep.equal(['GET /api/health', undefined]);
    expect(new Set(others.map(({ headers }) => headers.authorization))).to.deep.equal(new Set([`Bearer ${TOKEN}`]));
    const left = (await there.call('GET', '/api/search')).json() as unknown as readonly unknown[];
    expect(left).to.have.length(1);
    await put('secret', 'north', { stringData: { token: TOKEN } });
    const stored = await review({ credential: { secret: 'north' } });
    expect(stored.spec.credential).to.deep.equal({ secret: 'north' });
    expect(stored.status.writable).to.equal(true);
  });

  it('refuses addresses that mirrors may not have, before anything is sent, and says who can allow them', async () => {
    expect(await failures({ address: 'http://10.0.0.1' })).to.deep.equal([
      'address: The address 10.0.0.1 is asked without encryption, and not in the setting webhooks.networks. The operator of this server can allow it there.',
    ]);
    expect(await failures({ address: 'https://192.168.0.1' })).to.match(
      /is internal.*operator of this server can allow/,
    );
    expect(await failures({ address: 'dashboards' })).to.match(/^address: The address is no URL/);
    expect(world().proxy.requests).to.deep.equal([]);
  });

  it('says when nothing answers, when it is no dashboard server, and when it leads elsewhere', async () => {
    const { proxy } = world();
    let authorization: string | undefined;
    const other = createServer((request, response) => {
      authorization ??= request.headers.authorization;
      response.end('<html>A shop</html>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await failures({ address })).to.deep.equal([
      'server: Something answers there, but it is no dashboard server: /api/health answers something else. Check the address and its path.',
    ]);
    expect(authorization).to.equal(undefined);
    await new Promise((resolve) => other.close(resolve));
    expect(await failures({ address })).to.deep.equal([
      'server: The host refuses the connection: nothing listens at this port.',
    ]);
    proxy.fault = () => ({ status: 302, headers: { location: 'https://elsewhere.example.org' } });
    expect(await failures()).to.match(/^server: It leads to another address \(302\)/);
    proxy.fault = () => ({ status: 503 });
    expect(await failures()).to.match(/^server: It answers 503/);
  });

  it('says when the credential is refused, and what it may not do', async () => {
    const { proxy } = world();
    proxy.fault = ({ route }) => (route === 'GET /api/health' ? undefined : { status: 401 });
    expect(await failures()).to.deep.equal([
      'credential: It is refused (401). It is wrong, has expired, or belongs to another server.',
    ]);
    const refused = new Set(['GET /api/org/users', 'POST /api/folders', 'POST /api/dashboards/db']);
    proxy.fault = ({ route }) => (refused.has(route) ? { status: 403 } : undefined);
    const { status } = await review();
    expect(status.writable).to.equal(false);
    expect(status.checks.filter(({ ok }) => !ok).map(({ message }) => message)).to.deep.equal([
      'It may not list the people. Give its service account the role Admin.',
      'It may not create folders or save dashboards. Give its service account the role Admin.',
    ]);
    expect(await failures({ organization: 4711 })).to.match(/^credential: It may not use this organization/);
    expect(await failures({ credential: { secret: 'none' } })).to.deep.equal([
      'credential: There is no Secret "none" in this namespace that you may read.',
    ]);
  });

  it('is for those who may create mirrors, and refuses what no mirror could have', async () => {
    await addPeople(world().here);
    for (const user of [VIEWER, EDITOR]) expect((await ask({}, user)).status, user.name).to.equal(403);
    expect(world().proxy.requests).to.deep.equal([]);
    expect((await ask({}, ADMINISTRATOR)).status).to.equal(201);
    const both = await ask({ credential: { token: TOKEN, secret: 'north' } });
    expect([both.status, both.text]).to.match(/422,.*must have either secret or token/);
    expect(both.text).not.to.contain(TOKEN);
  });
});
