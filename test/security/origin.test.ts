import { expect } from 'chai';
import { type Answer, AS_ADMIN, type Ask, basic, bearer, oneStore } from '../authn/harness.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { referer: 'https://evil.example/page' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
];

oneStore('A page of another site', (server) => {
  const titles = async () => {
    const { json } = await server().ask(FOLDERS, { headers: AS_ADMIN });
    return (json['items'] as { spec: { title: string } }[]).map(({ spec }) => spec.title);
  };
  const createFolder = (title: string, ask: Ask): Promise<Answer> =>
    server().ask(FOLDERS, { method: 'POST', body: { metadata: { generateName: 'x-' }, spec: { title } }, ...ask });
  /** Creates an organization as a form with enctype=text/plain does. */
  const createOrganization = (name: string, { headers, ...ask }: Ask): Promise<Answer> =>
    server().ask('/api/orgs', {
      method: 'POST',
      body: Buffer.from(`{"name":"${name}","x":"="}`),
      headers: { ...headers, 'content-type': 'text/plain' },
      ...ask,
    });
  const token = async () => {
    const spec = { title: 'robot', role: 'Admin', disabled: false };
    await server().create('iam/serviceaccounts', 'robot', spec, 'default');
    const by = { user: { name: 'admin', uid: 'admin', groups: ['system:masters'], extra: {} } };
    return (await server().tokens.issue({ namespace: 'default', account: 'robot', title: 't' }, by)).text;
  };

  const refusesForeign = async (send: (more: Readonly<Record<string, string>>) => Promise<Answer>) => {
    for (const more of FOREIGN) {
      const { status, text } = await send(more);
      expect([status, text], JSON.stringify(more)).to.satisfy(
        ([code, body]: [number, string]) => code === 403 && body.includes('origin not allowed'),
      );
    }
  };

  before(async () => {
    await server().user('alice', { grafanaAdmin: true }, 'right');
  });

  // Promise: contract 7
  it('changes nothing with the client certificate of its visitor', async () => {
    await refusesForeign((headers) => createFolder('forged', { asAdmin: true, headers }));
    await refusesForeign((headers) => createOrganization('forged', { asAdmin: true, headers }));
    expect(await titles()).to.not.include('forged');
    expect((await server().ask('/api/orgs/name/forged', { headers: AS_ADMIN })).status).to.equal(404);
  });

  // Promise: security browsers
  it('changes nothing with a password or token that the browser remembers for the Basic scheme', async () => {
    for (const remembered of [basic('alice', 'right'), basic('api_key', await token())]) {
      await refusesForeign((headers) => createFolder('forged', { headers: { ...headers, ...remembered } }));
      await refusesForeign((headers) => createOrganization('forged', { headers: { ...headers, ...remembered } }));
    }
    expect(await titles()).to.not.include('forged');
  });

  it('cannot try passwords in the Basic scheme', async () => {
    const headers = { origin: 'https://evil.example', ...basic('alice', 'wrong') };
    for (let i = 0; i < 10; i++) expect((await createFolder('forged', { headers })).status).to.equal(403);
    expect((await server().ask('/whoami', { headers: basic('alice', 'right') })).status).to.equal(200);
  });

  // Promise: security browsers
  it('does not end a session with a link or an image, but people do who enter the address', async () => {
    const login = await server().ask('/login', { method: 'POST', body: { user: 'alice', password: 'right' } });
    const cookie = { cookie: `grafana_session=${login.cookies['grafana_session']}` };
    await refusesForeign((more) => server().ask('/logout', { headers: { ...cookie, ...more } }));
    expect((await server().ask('/whoami', { headers: cookie })).status).to.equal(200);
    const typed = await server().ask('/logout', { headers: { ...cookie, 'sec-fetch-site': 'none' } });
    expect(typed.status).to.equal(302);
    expect((await server().ask('/whoami', { headers: cookie })).status).to.equal(401);
  });

  it('may send bearer tokens, which browsers do not send by themselves', async () => {
    const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    expect((await createFolder('by bearer', { headers: { ...headers, ...AS_ADMIN } })).status).to.equal(201);
    const withBoth = { ...headers, ...bearer('glsa_unknown') };
    expect((await createFolder('x', { headers: withBoth })).status).to.equal(401);
    const both = await createFolder('by bearer 2', { asAdmin: true, headers: { ...headers, ...AS_ADMIN } });
    expect(both.status).to.equal(201);
  });

  // Promise: security browsers
  it('loads nothing into itself with what the browser sends by itself, so it cannot measure how long a search takes', async () => {
    const login = await server().ask('/login', { method: 'POST', body: { user: 'alice', password: 'right' } });
    const cookie = { cookie: `grafana_session=${login.cookies['grafana_session']}` };
    const read = async (ask: object, headers: Readonly<Record<string, string>>) =>
      (await server().ask(FOLDERS, { ...ask, headers })).status;
    for (const site of ['cross-site', 'same-site']) {
      for (const dest of ['empty', 'image', 'script', 'iframe', 'object']) {
        const sent = { 'sec-fetch-site': site, 'sec-fetch-dest': dest };
        const statuses = [
          await read({}, { ...sent, ...cookie }),
          await read({}, { ...sent, ...basic('alice', 'right') }),
          await read({ asAdmin: true }, sent),
          await read({}, { ...sent, ...AS_ADMIN }),
        ];
        expect(statuses, `${site} ${dest}`).to.deep.equal([403, 403, 403, 200]);
      }
      expect(await read({}, { 'sec-fetch-site': site, 'sec-fetch-dest': 'document', ...cookie })).to.equal(200);
    }
    for (const site of ['same-origin', 'none'])
      expect(await read({}, { 'sec-fetch-site': site, 'sec-fetch-dest': 'empty', ...cookie })).to.equal(200);
  });

  it('may lead the browser to an answer, which changes nothing', async () => {
    const headers = { origin: 'https://evil.example' };
    expect((await server().ask(FOLDERS, { asAdmin: true, headers })).status).to.equal(200);
  });

  // Promise: contract 7
  it('is not suspected in clients that are no browsers, or in pages of this server', async () => {
    expect((await createFolder('by curl', { asAdmin: true })).status).to.equal(201);
    expect((await createFolder('by curl 2', { headers: basic('alice', 'right') })).status).to.equal(201);
    const own = { origin: `http://127.0.0.1:${server().port}`, 'sec-fetch-site': 'same-origin' };
    expect((await createFolder('by page', { headers: { ...own, ...basic('alice', 'right') } })).status).to.equal(201);
  });
});
