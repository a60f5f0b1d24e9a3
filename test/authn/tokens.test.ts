import { once } from 'node:events';
import http from 'node:http';
import { expect } from 'chai';
import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import { isTokenText, newToken } from '../../pkg/identity/authn/token-text.js';
import { AS_ADMIN, basic, bearer, oneStore } from './harness.js';

const BY = { user: SYSTEM_USER };
const ACCOUNT = { namespace: 'default', account: 'robot' };
const WATCH = '/apis/folder.svc.app/v1beta1/namespaces/default/folders?watch=true';

oneStore('service-account tokens', (server) => {
  const whoami = (headers: Record<string, string>, path = '/whoami') => server().ask(path, { headers });
  let titles = 0;
  const issue = (more: object = {}) => server().tokens.issue({ ...ACCOUNT, title: `token ${titles++}`, ...more }, BY);

  before(() =>
    server().create('iam/serviceaccounts', 'robot', { title: 'Robot', role: 'Viewer', disabled: false }, 'default'),
  );

  it('have the form that scanners for leaked tokens recognize', async () => {
    const { text } = await issue();
    expect(text).to.match(/^glsa_[0-9A-Za-z]{32}_[0-9a-f]{8}$/);
    expect(isTokenText(text)).to.equal(true);
    expect(isTokenText(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`)).to.equal(false);
  });

  // Promise: specification 5
  it('identify their service account, as Bearer token or as the password of api_key', async () => {
    const { text } = await issue();
    for (const headers of [bearer(text), basic('api_key', text), { authorization: `bearer ${text}` }]) {
      const { status, json } = await whoami(headers);
      expect(status).to.equal(200);
      expect(json).to.include({ name: 'system:serviceaccount:default:robot', uid: 'robot' });
      expect(json['groups']).to.include.members(['system:serviceaccounts', 'system:authenticated']);
      expect(json['groups']).to.not.include('system:masters');
    }
  });

  it('are stored as hashes only', async () => {
    const { text, token } = await issue();
    expect(JSON.stringify(token)).to.not.contain(text);
    expect(token.spec?.hash).to.match(/^[0-9a-f]{64}$/);
  });

  it('are refused if they are wrong, expired, revoked, deleted, or of a disabled account, with different messages', async () => {
    const failureOf = async (headers: Record<string, string>) => {
      const { status, json } = await whoami(headers, '/api/whoami');
      return [status, json['messageId'], json['message']];
    };
    const invalid = [401, 'api-key.invalid', 'Invalid API key'];
    expect(await failureOf(bearer(newToken()))).to.deep.equal(invalid);
    expect(await failureOf(bearer('rubbish'))).to.deep.equal(invalid);
    expect(await failureOf(basic('api_key', 'rubbish'))).to.deep.equal(invalid);

    const revoked = await issue();
    expect((await whoami(bearer(revoked.text))).status).to.equal(200);
    await server().tokens.revoke('default', revoked.token.metadata.name, BY);
    expect(await failureOf(bearer(revoked.text))).to.deep.equal([401, 'api-key.revoked', 'Revoked API key']);

    const removed = await issue();
    await server().tokens.remove('default', removed.token.metadata.name, BY);
    expect(await failureOf(bearer(removed.text))).to.deep.equal(invalid);

    const short = await issue({ expires: server().services.now() + 60_000 });
    expect((await whoami(bearer(short.text))).status).to.equal(200);
    server().advance(60_001);
    expect(await failureOf(bearer(short.text))).to.deep.equal([401, 'api-key.expired', 'Expired API key']);

    const kept = await issue();
    await server().patch('iam/serviceaccounts', 'robot', { disabled: true }, 'default');
    expect(await failureOf(bearer(kept.text))).to.deep.equal(invalid);
    await server().patch('iam/serviceaccounts', 'robot', { disabled: false }, 'default');
    expect((await whoami(bearer(kept.text))).status).to.equal(200);
  });

  it('have unique titles in an account', async () => {
    await server().create('iam/serviceaccounts', 'other', { title: 'Other', role: 'None', disabled: false }, 'default');
    const spec = { namespace: 'default', account: 'other', title: 'same' };
    await server().tokens.issue(spec, BY);
    const again = await server()
      .tokens.issue(spec, BY)
      .catch((error: unknown) => error);
    expect(again).to.have.property('reason', 'Invalid');
    expect(server().tokens.list('default', 'other')).to.have.length(1);
  });

  const ACCOUNTS = '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts';
  const removals: Readonly<Record<string, (name: string) => string>> = {
    'through the resource API': (name) => `${ACCOUNTS}/${name}`,
    'as part of a collection': (name) => `${ACCOUNTS}?fieldSelector=spec.title%3D${name}`,
    'through the legacy API': (name) => `/api/serviceaccounts/${name}`,
  };
  for (const [what, pathOf] of Object.entries(removals)) {
    it(`are deleted with their account, deleted ${what}, and do not return with a new account of the same name`, async () => {
      const account = what.toLowerCase().replaceAll(' ', '-');
      const add = () => server().create('iam/serviceaccounts', account, { title: account, role: 'Viewer' }, 'default');
      const tokens = () => server().tokens.list('default', account);
      await add();
      const issued = [];
      for (const title of ['one', 'two']) {
        issued.push((await server().tokens.issue({ namespace: 'default', account, title }, BY)).text);
      }
      for (const text of issued) expect((await whoami(bearer(text))).status).to.equal(200);
      expect(tokens()).to.have.length(2);
      const { status, text: answered } = await server().ask(pathOf(account), { method: 'DELETE', headers: AS_ADMIN });
      expect(status, answered).to.equal(200);
      expect(tokens()).to.have.length(0);
      for (const text of issued) expect((await whoami(bearer(text))).status).to.equal(401);
      await add();
      expect(tokens()).to.have.length(0);
      for (const text of issued) expect((await whoami(bearer(text))).status).to.equal(401);
    });
  }

  it('of TokenRequests are deleted a day after they have expired', async () => {
    const name = 'request-01old';
    await issue({ name, expires: server().services.now() + 600_000 });
    const other = await issue({ expires: server().services.now() + 600_000 });
    const names = () =>
      server()
        .tokens.list('default', 'robot')
        .map(({ metadata }) => metadata.name);
    server().advance(24 * 3_600_000);
    await server().tokens.sweep();
    expect(names()).to.include(name);
    server().advance(3_600_000);
    await server().tokens.sweep();
    expect(names()).to.not.include(name);
    expect(names()).to.include(other.token.metadata.name);
  });

  const watching = async (headers: Record<string, string>) => {
    const request = http.get({ host: '127.0.0.1', port: server().port, path: WATCH, headers, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    return response;
  };

  it('end the watches of their callers when they are revoked', async () => {
    const { text, token } = await issue();
    const watch = await watching(bearer(text));
    expect(watch.statusCode).to.equal(200);
    await server().tokens.revoke('default', token.metadata.name, BY);
    await once(watch, 'end');
    expect(watch.complete).to.equal(true);
  });

  it('end no watches of other callers when a user is disabled', async () => {
    await server().user('watcher', { grafanaAdmin: true }, 'right');
    await server().user('another', { grafanaAdmin: true }, 'right');
    const [own, other] = [await watching(basic('watcher', 'right')), await watching(basic('another', 'right'))];
    await server().patch('iam/users', 'watcher', { disabled: true });
    await once(own, 'end');
    expect(other.readableEnded).to.equal(false);
    other.destroy();
  });
});
