import { expect } from 'chai';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const structured = (statusCode: number, messageId: string, message: string) => ({
  statusCode,
  messageId,
  message,
  extra: null,
});
const EXISTS = structured(400, 'serviceaccounts.ErrAlreadyExists', 'service account already exists');

oneStore('service accounts in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const resources = iam(server);
  const make = (more: Json = {}): Promise<Json> =>
    ask(201, 'POST', '/serviceaccounts', { name: fresh('Account'), role: 'Viewer', ...more });

  it('POST /api/serviceaccounts creates an account, which both APIs return', async () => {
    const name = `${fresh('Build')} Bot`;
    const account = await ask(201, 'POST', '/serviceaccounts', { name, role: 'Editor' });
    const slug = name.toLowerCase().replaceAll(' ', '-');
    expect(account).to.include({
      name,
      login: `sa-${account.id}-${slug}`,
      orgId: 1,
      role: 'Editor',
      isDisabled: false,
    });
    expect(account).to.include({ tokens: 0 });
    const object = bodyOf(await resources.get('ServiceAccount', account.uid), 200);
    expect(object.spec).to.deep.equal({ title: name, role: 'Editor', disabled: false });
    expect(await ask(200, 'GET', `/serviceaccounts/${account.id}`)).to.deep.equal(account);
    expect(await ask(200, 'GET', `/serviceaccounts/${account.uid}`)).to.deep.equal(account);
  });

  it('POST /api/serviceaccounts refuses taken names, unknown roles and invalid bodies with 400, and changes nothing', async () => {
    const { name } = await make();
    const wrongRole = structured(400, 'serviceaccounts.ErrInvalidRoleValue', 'invalid role value');
    for (const [body, expected] of [
      [{ name: name.toUpperCase() }, EXISTS],
      [{ name: fresh('x'), role: 'Owner' }, wrongRole],
      [{}, { message: 'bad request data' }],
      [{ name: ' ' }, { message: 'bad request data' }],
      [{ name: { $gt: '' } }, { message: 'bad request data' }],
      [{ name: fresh('x'), role: { $gt: '' } }, { message: 'bad request data' }],
    ] as const) {
      await changingNothing(server(), () => refused(400, expected, 'POST', '/serviceaccounts', body));
    }
  });

  it('GET /api/serviceaccounts/search finds accounts by a part of the name, in pages', async () => {
    const tag = fresh('find');
    for (const suffix of ['b', 'a', 'c.*']) await make({ name: `${tag} ${suffix}` });
    const found = await ask(200, 'GET', `/serviceaccounts/search?query=${tag.toUpperCase()}&perpage=2`);
    expect(found).to.include({ totalCount: 3, page: 1, perPage: 2 });
    expect(found.serviceAccounts.map(({ name }: Json) => name)).to.deep.equal([`${tag} a`, `${tag} b`]);
    const rest = await ask(200, 'GET', `/serviceaccounts/search?query=${tag}&perpage=2&page=2`);
    expect(rest.serviceAccounts.map(({ name }: Json) => name)).to.deep.equal([`${tag} c.*`]);
    const none = await ask(200, 'GET', `/serviceaccounts/search?query=${encodeURIComponent(`${tag}.*`)}`);
    expect(none).to.deep.include({ totalCount: 0, serviceAccounts: [] });
  });

  it('PATCH and DELETE /api/serviceaccounts/:id change and delete an account', async () => {
    const [{ id, uid }, other] = [await make(), await make()];
    const name = fresh('renamed');
    const answer = await ask(200, 'PATCH', `/serviceaccounts/${id}`, { name, role: 'Admin', isDisabled: true });
    expect(answer).to.include({ message: 'Service account updated', id, name });
    expect(answer.serviceaccount).to.include({ id, name, role: 'Admin', isDisabled: true });
    expect(bodyOf(await resources.get('ServiceAccount', uid), 200).spec).to.include({ title: name, disabled: true });
    await refused(400, EXISTS, 'PATCH', `/serviceaccounts/${id}`, { name: other.name });
    expect(await ask(200, 'DELETE', `/serviceaccounts/${id}`)).to.deep.equal({ message: 'Service account deleted' });
    expect(await ask(404, 'GET', `/serviceaccounts/${id}`)).to.include({ message: 'service account not found' });
    expect(await ask(404, 'DELETE', `/serviceaccounts/${id}`)).to.include({ message: 'service account not found' });
    await refused(400, { message: 'id is invalid' }, 'GET', '/serviceaccounts/a%20b');
  });

  // Promise: specification 5
  it('have tokens that are issued, returned once, listed and deleted', async () => {
    const { id } = await make();
    const path = `/serviceaccounts/${id}/tokens`;
    const token = await ask(200, 'POST', path, { name: 'first', secondsToLive: 60 });
    expect(token).to.have.all.keys('id', 'name', 'key');
    expect(token.key).to.match(/^glsa_[0-9A-Za-z]{32}_[0-9a-f]{8}$/);
    await ask(200, 'POST', path, { name: 'for ever' });
    const listed = await ask(200, 'GET', path);
    expect(JSON.stringify(listed)).to.not.include(token.key);
    expect(listed.map(({ name }: Json) => name)).to.have.members(['first', 'for ever']);
    const [first] = listed.filter(({ name }: Json) => name === 'first');
    expect(first).to.include({ id: token.id, hasExpired: false, isRevoked: false });
    expect(first.secondsUntilExpiration).to.be.greaterThan(0).and.at.most(60);
    expect((await ask(200, 'GET', `/serviceaccounts/${id}`)).tokens).to.equal(2);
    const duplicate = await ask(400, 'POST', path, { name: 'FIRST' });
    expect(duplicate).to.include({ messageId: 'serviceaccounts.ErrTokenAlreadyExists' });
    const deleted = await ask(200, 'DELETE', `${path}/${token.id}`);
    expect(deleted).to.deep.equal({ message: 'Service account token deleted' });
    await refused(404, { message: 'service account token not found' }, 'DELETE', `${path}/${token.id}`);
    const { id: other } = await make();
    const [left] = await ask(200, 'GET', path);
    await refused(
      404,
      { message: 'service account token not found' },
      'DELETE',
      `/serviceaccounts/${other}/tokens/${left.id}`,
    );
    expect(await ask(200, 'GET', '/serviceaccounts/999999/tokens')).to.deep.equal([]);
    for (const body of [{}, { name: '' }, { name: { $gt: '' } }, { name: 'x', secondsToLive: 'y' }]) {
      await refused(400, { message: 'bad request data' }, 'POST', path, body);
    }
    await ask(400, 'POST', path, { name: 'x', secondsToLive: -1 });
    const hidden = await ask(400, 'POST', path, { name: 'first\u202e' });
    expect(hidden.message).to.contain('characters that are not shown');
  });

  it('get one token if 64 requests issue a token with the same name at the same time', async () => {
    const { id } = await make();
    const issue = () => call('POST', `/serviceaccounts/${id}/tokens`, { body: { name: 'one' } });
    const statuses = (await Promise.all(Array.from({ length: 64 }, issue))).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array.from({ length: 63 }, () => 400)]);
  });

  it('are for administrators of the organization only, and viewers get 403', async () => {
    const { id } = await make();
    const { info: user } = await person();
    const { info: admin } = await person({ role: 'Admin' });
    for (const [method, path] of [
      ['GET', '/serviceaccounts/search'],
      ['POST', '/serviceaccounts'],
      ['GET', `/serviceaccounts/${id}`],
      ['PATCH', `/serviceaccounts/${id}`],
      ['DELETE', `/serviceaccounts/${id}`],
      ['GET', `/serviceaccounts/${id}/tokens`],
      ['POST', `/serviceaccounts/${id}/tokens`],
      ['DELETE', `/serviceaccounts/${id}/tokens/1`],
    ] as const) {
      expect((await call(method, path, { user })).status, `${method} ${path}`).to.equal(403);
    }
    await ask(200, 'POST', `/serviceaccounts/${id}/tokens`, { name: 'by the admin' }, { user: admin });
  });
});
