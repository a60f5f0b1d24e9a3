import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh } from '../legacy-api/legacy.js';
import { ENTERPRISE, scimOf, USER } from './scim.js';

eachStore('users in SCIM', (server) => {
  const { ask, call, makeUser, patch, refused } = scimOf(server);
  const resources = iam(server);

  it('are members of the organization, which the resource API has at once, with who keeps them', async () => {
    const userName = `${fresh('Ada')}@Example.com`;
    const externalId = fresh('external');
    const name = { givenName: 'Ada', familyName: 'Lovelace' };
    const sent = {
      externalId,
      name,
      displayName: 'Ada L.',
      emails: [{ value: userName, type: 'work', primary: true }],
    };
    const answer = await call('POST', '/Users', { schemas: [USER], userName, active: true, ...sent });
    expect(answer.status).to.equal(201);
    const { id, meta } = answer.body;
    expect(answer.headers['location']).to.equal(meta.location);
    expect(answer.headers['etag']).to.equal(meta.version);
    expect(meta.location).to.match(
      new RegExp(`^http://[^/]+/apis/scim\\.svc\\.app/v0alpha1/namespaces/default/Users/${id}$`),
    );
    expect(answer.body).to.deep.equal({
      schemas: [USER],
      id,
      userName,
      active: true,
      ...sent,
      meta: { ...meta, resourceType: 'User' },
    });
    expect(await ask(200, 'GET', `/Users/${id}`)).to.deep.equal(answer.body);
    expect(bodyOf(await resources.get('User', id), 200).spec).to.deep.equal({
      login: userName,
      email: userName,
      name: 'Ada L.',
      ...name,
      disabled: false,
      grafanaAdmin: false,
      emailVerified: true,
      provisioned: true,
      provisionedBy: 'default',
    });
    expect(bodyOf(await resources.get('OrganizationBinding', id), 200).spec).to.deep.equal({
      userRef: { name: id },
      role: 'Viewer',
      provisioned: true,
      externalUID: externalId,
    });
  });

  it('are found by each indexed attribute, whatever the case of texts that are not exact', async () => {
    const externalId = fresh('External');
    const { id, userName } = await makeUser({ externalId, displayName: fresh('Grace') });
    const { displayName } = await ask(200, 'GET', `/Users/${id}`);
    for (const filter of [
      `userName eq "${userName.toUpperCase()}"`,
      `USERNAME EQ "${userName}"`,
      `externalId eq "${externalId}"`,
      `id eq "${id}"`,
      `emails.value eq "${userName}"`,
      `emails[type eq "work" and value eq "${userName}"]`,
      `emails[type eq "work"].value eq "${userName}"`,
      `displayName eq "${displayName.toLowerCase()}"`,
      `${USER}:userName eq "${userName}"`,
      `userName sw "${userName.slice(0, -4)}" and not (active eq false)`,
    ]) {
      const { totalResults, Resources } = await ask(200, 'GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect(
        Resources.map((one: { id: string }) => one.id),
        filter,
      ).to.deep.equal([id]);
      expect(totalResults).to.equal(1);
    }
    for (const filter of [
      `externalId eq "${externalId.toUpperCase()}"`,
      `userName eq "${userName}" and active eq false`,
    ]) {
      const { totalResults } = await ask(200, 'GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect(totalResults, filter).to.equal(0);
    }
  });

  it('are replaced by PUT, and changed by PATCH', async () => {
    const { id, userName } = await makeUser({ displayName: 'Old', name: { givenName: 'Old' } });
    const replaced = await ask(200, 'PUT', `/Users/${id}`, { schemas: [USER], userName, displayName: 'New' });
    expect(replaced).to.deep.include({ displayName: 'New' }).and.not.have.property('name');
    const other = `${fresh('other')}@example.com`;
    const answer = await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: other },
      { op: 'add', value: { 'name.givenName': 'Given', displayName: 'Patched' } },
    );
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    expect(answer.body).to.deep.include({ active: false, displayName: 'Patched' });
    expect(answer.body.emails).to.deep.equal([{ value: other, type: 'work', primary: true }]);
    expect(answer.body.name).to.deep.equal({ givenName: 'Given' });
    expect(bodyOf(await resources.get('User', id), 200).spec).to.deep.include({ disabled: true, email: other });
  });

  it('get an address by a value path of any form, whether or not they have one', async () => {
    for (const path of [
      'emails[type eq null].value',
      'emails[TYPE eq "work"].value',
      'emails[primary eq true].value',
    ]) {
      const { id } = await makeUser({ userName: fresh('plain') });
      const value = `${fresh('a')}@example.com`;
      const { body, status } = await patch(`/Users/${id}`, { op: 'add', path, value });
      expect([status, body.emails], JSON.stringify(body)).to.deep.equal([
        200,
        [{ value, type: 'work', primary: true }],
      ]);
    }
  });

  it('end with DELETE, and cannot be read any more', async () => {
    const { id } = await makeUser();
    await ask(204, 'DELETE', `/Users/${id}`);
    await refused(404, undefined, 'GET', `/Users/${id}`);
    await refused(404, undefined, 'DELETE', `/Users/${id}`);
    expect((await resources.get('User', id)).status).to.equal(404);
  });

  it('are refused if the userName or the address is taken', async () => {
    const { userName } = await makeUser();
    await refused(409, 'uniqueness', 'POST', '/Users', { schemas: [USER], userName: userName.toUpperCase() });
    const emails = [{ value: userName }];
    await refused(409, 'uniqueness', 'POST', '/Users', { schemas: [USER], userName: fresh('x'), emails });
  });

  it('have a warning for each attribute that the server does not keep', async () => {
    const userName = fresh('warned');
    const more = { title: 'Engineer', [ENTERPRISE]: { department: 'X' } };
    const { status, headers } = await call('POST', '/Users', { schemas: [USER, ENTERPRISE], userName, ...more });
    expect(status).to.equal(201);
    expect(String(headers['warning'])).to.include('ignored title').and.include(`ignored ${ENTERPRISE}`);
  });
});
