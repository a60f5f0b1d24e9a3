import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import type { Backend, Commit, Revision } from '../../storage/backend.js';
import { memoryStore, openMemory } from '../../storage/memory/backend.js';
import { type AuthnServer, basic, bearer, openAuthnServer } from './harness.js';

const BY = { user: SYSTEM_USER };
const ROUNDS = 10;
const LAG = 20;

/** A backend that delivers commits of other servers late, so that code that does not wait for them fails. */
function lagging(backend: Backend): Backend {
  async function* tail(after: Revision, signal: AbortSignal): AsyncIterable<Commit> {
    for await (const commit of backend.tail(after, signal)) {
      await setTimeout(LAG, undefined, { ref: false });
      yield commit;
    }
  }
  return { ...backend, tail };
}

describe('callers of two servers on one store', () => {
  let a: AuthnServer;
  let b: AuthnServer;

  before(async () => {
    const log = memoryStore();
    a = await openAuthnServer(lagging(openMemory(log, Date.now, true)));
    b = await openAuthnServer(lagging(openMemory(log, Date.now, true)));
  });
  after(async () => {
    await a.close();
    await b.close();
  });

  const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
  const writeOn = async (server: AuthnServer, headers: Record<string, string>): Promise<number> => {
    const body = { metadata: { generateName: 'new-' }, spec: { title: 'New' } };
    return (await server.ask(FOLDERS, { method: 'POST', headers, body })).status;
  };
  const statusOn = async (server: AuthnServer, headers: Record<string, string>) =>
    (await server.ask('/whoami', { headers })).status;
  const turns = (round: number): readonly [AuthnServer, AuthnServer] => (round % 2 === 0 ? [a, b] : [b, a]);

  it('are refused on one server as soon as they are disabled on the other, and accepted as soon as they are enabled', async () => {
    await a.user('alice', {}, 'right');
    for (let round = 0; round < ROUNDS; round++) {
      const [writer, reader] = turns(round);
      expect(await statusOn(reader, basic('alice', 'right')), `round ${round}`).to.equal(200);
      await writer.patch('iam/users', 'alice', { disabled: true });
      // 429 if the throttle has counted too many failures.
      expect(await statusOn(reader, basic('alice', 'right')), `round ${round}`).to.be.oneOf([401, 429]);
      await writer.patch('iam/users', 'alice', { disabled: false });
    }
  });

  it('are refused on one server as soon as their token is revoked on the other', async () => {
    await a.create('iam/serviceaccounts', 'robot', { title: 'Robot', role: 'Viewer', disabled: false }, 'default');
    for (let round = 0; round < ROUNDS; round++) {
      const [writer, reader] = turns(round);
      const spec = { namespace: 'default', account: 'robot', title: `token ${round}` };
      const { text, token } = await writer.tokens.issue(spec, BY);
      expect(await statusOn(reader, bearer(text)), `round ${round}`).to.equal(200);
      await writer.tokens.revoke('default', token.metadata.name, BY);
      expect(await statusOn(reader, bearer(text)), `round ${round}`).to.equal(401);
    }
  });

  it('can write on one server with a token and permissions from the other, until either is revoked', async () => {
    await a.create('iam/serviceaccounts', 'writer', { title: 'Writer', role: 'Viewer', disabled: false }, 'default');
    const role = (server: AuthnServer, role: string) =>
      server.patch('iam/serviceaccounts', 'writer', { role }, 'default');
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = turns(round);
      const spec = { namespace: 'default', account: 'writer', title: `token ${round}` };
      const { text, token } = await one.tokens.issue(spec, BY);
      expect(await writeOn(other, bearer(text)), `a viewer, round ${round}`).to.equal(403);
      await role(one, 'Editor');
      expect(await writeOn(other, bearer(text)), `an editor, round ${round}`).to.equal(201);
      await role(one, 'Viewer');
      expect(await writeOn(other, bearer(text)), `a viewer again, round ${round}`).to.equal(403);
      await role(one, 'Editor');
      expect(await writeOn(other, bearer(text)), `an editor again, round ${round}`).to.equal(201);
      await one.tokens.revoke('default', token.metadata.name, BY);
      expect(await writeOn(other, bearer(text)), `revoked, round ${round}`).to.equal(401);
      await role(one, 'Viewer');
    }
  });

  /** The headers of a credential of the user, from either server. */
  const CREDENTIALS: Readonly<Record<string, (login: string) => Promise<Record<string, string>>>> = {
    password: async (login) => basic(login, 'right'),
    session: async (login) => {
      const { cookies } = await a.ask('/login', { method: 'POST', body: { user: login, password: 'right' } });
      return { cookie: `grafana_session=${cookies['grafana_session']}` };
    },
  };
  for (const [credential, headersOf] of Object.entries(CREDENTIALS)) {
    it(`can write on one server with a ${credential} and rights from the other, until either is taken`, async () => {
      const login = `writer-by-${credential}`;
      await a.user(login, {}, 'right');
      const headers = await headersOf(login);
      for (let round = 0; round < 4; round++) {
        const [one, other] = turns(round);
        // Now both servers know the credential, so the next write does not wait for its check.
        expect([await statusOn(one, headers), await statusOn(other, headers)], `round ${round}`).to.deep.equal([
          200, 200,
        ]);
        expect(await writeOn(other, headers), `a viewer, round ${round}`).to.equal(403);
        await one.patch('iam/users', login, { grafanaAdmin: true });
        expect(await writeOn(other, headers), `an administrator, round ${round}`).to.equal(201);
        await one.patch('iam/users', login, { grafanaAdmin: false });
        expect(await writeOn(other, headers), `a viewer again, round ${round}`).to.equal(403);
      }
      await a.patch('iam/users', login, { disabled: true });
      expect(await writeOn(b, headers), 'disabled').to.equal(401);
    });
  }

  it('cannot write on one server with the password that was changed on the other', async () => {
    await a.user('dora', { grafanaAdmin: true }, 'right');
    let [password, next] = ['right', 'another'];
    for (let round = 0; round < 4; round++) {
      const [one, other] = turns(round);
      expect(await writeOn(other, basic('dora', password)), `round ${round}`).to.equal(201);
      await one.setPassword('dora', next);
      // The server compares the old password, or answers 429 if the throttle has counted too many.
      expect(await writeOn(other, basic('dora', password)), `the old one, round ${round}`).to.be.oneOf([401, 429]);
      expect(await writeOn(other, basic('dora', next)), `the new one, round ${round}`).to.equal(201);
      [password, next] = [next, password];
    }
  });

  it('cannot write on one server with a session that was ended on the other', async () => {
    await a.user('erik', { grafanaAdmin: true }, 'right');
    for (let round = 0; round < 4; round++) {
      const [one, other] = turns(round);
      const { cookies } = await one.ask('/login', { method: 'POST', body: { user: 'erik', password: 'right' } });
      const headers = { cookie: `grafana_session=${cookies['grafana_session']}` };
      expect(await writeOn(other, headers), `round ${round}`).to.equal(201);
      await one.ask('/logout', { headers });
      expect(await writeOn(other, headers), `ended, round ${round}`).to.equal(401);
    }
  });

  it('can read any version for a short time after their token is revoked on the other server', async () => {
    await a.create('iam/serviceaccounts', 'reader', { title: 'Reader', role: 'Viewer', disabled: false }, 'default');
    const { text, token } = await a.tokens.issue({ namespace: 'default', account: 'reader', title: 'token' }, BY);
    const path = `${FOLDERS}?resourceVersion=0`;
    const status = async (): Promise<number> => (await b.ask(path, { headers: bearer(text) })).status;
    expect(await status()).to.equal(200);
    await a.tokens.revoke('default', token.metadata.name, BY);
    while ((await status()) !== 401) await setTimeout(10);
    expect(await statusOn(b, bearer(text))).to.equal(401);
  });

  it('can use a session from one server on the other, until they log out on either', async () => {
    await a.user('bob', {}, 'right');
    for (let round = 0; round < ROUNDS; round++) {
      const [first, second] = turns(round);
      const body = { user: 'bob', password: 'right' };
      const { cookies } = await first.ask('/login', { method: 'POST', body });
      const headers = { cookie: `grafana_session=${cookies['grafana_session']}` };
      expect(await statusOn(second, headers), `round ${round}`).to.equal(200);
      await second.ask('/logout', { headers });
      expect(await statusOn(first, headers), `round ${round}`).to.equal(401);
    }
  });

  it('have their last-seen time stored once, by either server', async () => {
    await a.user('carl', {}, 'right');
    for (const server of [a, b, a, b]) {
      await statusOn(server, basic('carl', 'right'));
      await server.identity.settled();
    }
    await b.services.fresh();
    const seen = b.services.reader.get('lastseens.internal.svc.app', '', 'carl');
    expect(seen?.metadata.generation).to.equal(1);
  });
});
