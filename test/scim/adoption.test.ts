import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh } from '../legacy-api/legacy.js';
import { peopleOf } from '../legacy-api/people.js';
import { type Json, PATCH, scimOf, USER } from './scim.js';

const patchOf = (...operations: readonly object[]) => ({ schemas: [PATCH], Operations: operations });
const replace = (path: string, value: unknown) => patchOf({ op: 'replace', path, value });

eachStore('an account that SCIM does not keep yet', (server) => {
  const { ask, client, makeGroup, makeUser, refused } = scimOf(server);
  const { person } = peopleOf(server);
  const resources = iam(server);
  const bindingOf = async (id: string): Promise<Json> =>
    bodyOf(await resources.get('OrganizationBinding', id), 200).spec;

  // Promise: security scim
  it('is not kept if its owner chose the name by which it is found, and gets no group', async () => {
    const user = await client();
    for (const isAddress of [true, false]) {
      const viewer = await person();
      const login = isAddress ? `${fresh('cfo')}@corp.example` : fresh('cfo');
      const email = isAddress ? login : viewer.email;
      const own = await server().call('PUT', '/api/user', { body: { login, email, name: 'x' }, user: viewer.info });
      expect(own.status, own.text).to.equal(200);
      const { Resources } = await ask(200, 'GET', `/Users?filter=${encodeURIComponent(`userName eq "${login}"`)}`);
      expect(Resources.map(({ id }: Json) => id)).to.deep.equal([viewer.uid]);
      const path = `/Users/${viewer.uid}`;
      const add = patchOf({ op: 'add', path: 'externalId', value: fresh('cfo-object') });
      const { detail } = await refused(409, 'uniqueness', 'PATCH', path, add, { user });
      expect(detail).to.include('an administrator of the server sets spec.provisioned');
      const emails = [{ value: `${fresh('cfo')}@corp.example` }];
      const put = { schemas: [USER], userName: login, emails };
      await refused(409, 'uniqueness', 'PUT', path, put, { user });
      await refused(409, 'uniqueness', 'PATCH', path, replace('active', true), { user });
      // These name no address, or another one beside that which is there.
      await refused(409, 'uniqueness', 'PATCH', path, replace('emails[type eq "work"].primary', true), { user });
      await refused(409, 'uniqueness', 'PATCH', path, patchOf({ op: 'add', path: 'emails', value: emails }), { user });
      const { id } = await makeGroup();
      const members = patchOf({ op: 'add', path: 'members', value: [{ value: viewer.uid }] });
      await refused(409, 'uniqueness', 'PATCH', `/Groups/${id}`, members, { user });
      expect(await bindingOf(viewer.uid)).to.deep.equal({ userRef: { name: viewer.uid }, role: 'Viewer' });
      // To suspend somebody gives nothing, but it does not make the account a kept one.
      expect((await ask(200, 'PATCH', path, replace('active', false), { user })).active).to.equal(false);
      await refused(409, 'uniqueness', 'PATCH', path, replace('active', true), { user });
      expect(await bindingOf(viewer.uid)).to.not.have.property('provisioned');
      await resources.merge('OrganizationBinding', viewer.uid, { spec: { provisioned: true } });
      expect((await ask(200, 'PATCH', path, replace('active', true), { user })).active).to.equal(true);
    }
  });

  // Promise: security scim
  it('stays when DELETE ends its membership', async () => {
    const { uid } = await person();
    await ask(204, 'DELETE', `/Users/${uid}`);
    expect((await resources.get('OrganizationBinding', uid)).status).to.equal(404);
    expect((await resources.get('User', uid)).status).to.equal(200);
  });

  it('is kept if the request names its verified address', async () => {
    const [one, two] = [await person(), await person()];
    const emails = [{ value: one.email }];
    await ask(200, 'PUT', `/Users/${one.uid}`, { schemas: [USER], userName: one.login, externalId: 'one', emails });
    const work = { op: 'replace', path: 'emails', value: [{ value: two.email, type: 'work', primary: true }] };
    await ask(200, 'PATCH', `/Users/${two.uid}`, patchOf(work, { op: 'add', path: 'externalId', value: 'two' }));
    expect(await bindingOf(one.uid)).to.include({ provisioned: true, externalUID: 'one' });
    expect(await bindingOf(two.uid)).to.include({ provisioned: true, externalUID: 'two' });
  });

  // Promise: security scim
  it('keeps its login and its address against its owner, once SCIM keeps it', async () => {
    const made = await makeUser();
    const joined = await person();
    const emails = [{ value: joined.email }];
    await ask(200, 'PUT', `/Users/${joined.uid}`, { schemas: [USER], userName: joined.login, emails });
    for (const uid of [made.id, joined.uid]) {
      const { spec } = bodyOf(await resources.get('User', uid), 200);
      const user = { ...joined.info, name: uid, uid };
      for (const change of [{ login: fresh('cfo') }, { email: `${fresh('cfo')}@corp.example` }]) {
        const body = { login: spec?.['login'], email: spec?.['email'], name: 'x', ...change };
        const answer = await server().call('PUT', '/api/user', { body, user });
        expect([answer.status, answer.text.includes('Users')], answer.text).to.deep.equal([403, true]);
      }
      const { login, email } = bodyOf(await resources.get('User', uid), 200).spec ?? {};
      expect({ login, email }).to.deep.equal({ login: spec?.['login'], email: spec?.['email'] });
    }
  });

  // Promise: security scim
  it('is no property of an organization that the person has left, or shares with another one', async () => {
    const namespace = fresh('org');
    await resources.made('Organization', namespace, { title: namespace });
    const { id, userName } = await makeUser();
    const sent = { schemas: [USER], userName, emails: [{ value: userName }] };
    await ask(201, 'POST', '/Users', sent, { namespace });
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, replace('userName', fresh('mallory')));
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, replace('emails', [{ value: 'm@example.com' }]));
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, replace('password', 'A long new password'));
    await ask(204, 'DELETE', `/Users/${id}`);
    expect(bodyOf(await resources.get('User', id), 200).spec).to.not.have.any.keys('provisioned', 'provisionedBy');
    await ask(201, 'POST', '/Users', sent);
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, replace('displayName', 'Mallory'));
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, replace('password', 'A long new password'));
    // The membership may also end by hand.
    const other = await makeUser();
    const again = { schemas: [USER], userName: other.userName };
    await ask(201, 'POST', '/Users', again, { namespace });
    await resources.remove('OrganizationBinding', other.id);
    await ask(201, 'POST', '/Users', again);
    await refused(400, 'mutability', 'PATCH', `/Users/${other.id}`, replace('displayName', 'Mallory'));
  });

  // Promise: security scim
  it('answers 409 in the same words for a login, an address and a name that looks like it', async () => {
    const { login, email } = await person({ role: '' });
    const looksAlike = login.replace('o', '\u043e');
    const bodies = [
      { userName: login, emails: [{ value: `${fresh('x')}@example.com` }] },
      { userName: fresh('x'), emails: [{ value: email }] },
      { userName: email },
      { userName: looksAlike },
    ];
    const details = new Set<string>();
    for (const body of bodies) {
      const { detail } = await refused(409, 'uniqueness', 'POST', '/Users', { schemas: [USER], ...body });
      details.add(detail);
    }
    expect([...details].length, [...details].join()).to.equal(1);
  });

  it('is not enabled by a PUT without active, and keeps a password that a request would remove', async () => {
    const { id, userName } = await makeUser({ password: 'A good long password' });
    await ask(200, 'PATCH', `/Users/${id}`, replace('active', false));
    expect((await ask(200, 'PUT', `/Users/${id}`, { schemas: [USER], userName })).active).to.equal(false);
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, patchOf({ op: 'remove', path: 'password' }));
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, replace('password', null));
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { password: null } }));
  });

  it('stays enabled while it is the last administrator of the organization', async () => {
    const namespace = fresh('org');
    await resources.made('Organization', namespace, { title: namespace });
    const { id } = await makeUser({}, { namespace });
    await resources.merge('OrganizationBinding', id, { spec: { role: 'Admin' } }, namespace);
    await refused(403, undefined, 'PATCH', `/Users/${id}`, replace('active', false), { namespace });
    await refused(403, undefined, 'DELETE', `/Users/${id}`, undefined, { namespace });
    expect((await ask(200, 'GET', `/Users/${id}`, undefined, { namespace })).active).to.equal(true);
  });

  it('is not searched for by a bulk request', async () => {
    for (const path of ['/Users/.search', '/Groups/.search', '/Users/%2esearch', '/Users/x']) {
      const operation = { method: 'POST', path, bulkId: 'a', data: {} };
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [operation] };
      await refused(400, 'invalidSyntax', 'POST', '/Bulk', body);
    }
  });
});
