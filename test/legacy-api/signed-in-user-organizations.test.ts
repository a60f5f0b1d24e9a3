import { expect } from 'chai';
import { basic, oneStore } from '../authn/harness.js';
import { fresh } from './legacy.js';
import { type Json, ownAccountsOf, statusAndBody } from './own-account.js';

oneStore('the organizations of the signed-in user', (server) => {
  const { newUser, as } = ownAccountsOf(server);

  // Promise: specification 2.3, specification 4.4
  it('POST /api/user/using/:organizationId and GET /api/user/orgs choose and list the own organizations', async () => {
    const name = await newUser();
    const { metadata } = await server().create('iam/organizations', 'second', { title: 'Second' });
    const orgId = Number(metadata.labels?.['svc.app/deprecatedInternalID']);
    const not = [401, { message: 'Not a valid organization' }];
    expect(statusAndBody(await as(name).send('POST', `/user/using/${orgId}`))).to.deep.equal(not);
    await server().create('iam/organizationbindings', name, { userRef: { name }, role: 'Editor' }, 'second');
    expect((await as(name).get('/user/orgs')).json).to.deep.equal([
      { orgId: 1, name: 'Main Org.', role: 'Viewer' },
      { orgId, name: 'Second', role: 'Editor' },
    ]);
    const changed = await as(name).send('POST', `/user/using/${orgId}`);
    expect(statusAndBody(changed)).to.deep.equal([200, { message: 'Active organization changed' }]);
    expect((await as(name).get('/user')).json['orgId']).to.equal(orgId);
    expect(statusAndBody(await as(name).send('POST', '/user/using/x'))).to.deep.equal([
      400,
      { message: 'id is invalid' },
    ]);
    expect(statusAndBody(await as(name).send('POST', '/user/using/999999'))).to.deep.equal(not);
  });

  it('the active organization of a user who chose none is the one with the lowest id, in all answers', async () => {
    const admin = await newUser({ grafanaAdmin: true });
    const makeOrganization = async (): Promise<number> =>
      Number((await as(admin).send('POST', '/orgs', { name: fresh('organization') })).json['orgId']);
    // In the order of names, org-10 is before org-9.
    const ids = [await makeOrganization()];
    while (ids.at(-1) !== 10) ids.push(await makeOrganization());
    const name = await newUser();
    const gone = `/apis/iam.svc.app/v1beta1/namespaces/default/organizationbindings/${name}`;
    expect((await server().ask(gone, { method: 'DELETE', headers: basic(admin, 'right') })).status).to.equal(200);
    for (const id of [10, 9])
      await server().create('iam/organizationbindings', name, { userRef: { name }, role: 'Editor' }, `org-${id}`);

    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const works = async () => {
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const review = await server().ask(path, { method: 'POST', headers: basic(name, 'right'), body });
      const { userInfo } = review.json['status'] as { readonly userInfo: { readonly extra: Json } };
      return {
        user: (await as(name).get('/user')).json['orgId'],
        org: (await as(name).get('/org')).json['id'],
        extra: userInfo.extra['svc.app/organization'],
      };
    };
    expect(await works()).to.deep.equal({ user: 9, org: 9, extra: ['org-9'] });
    expect((await as(name).send('POST', '/user/using/10')).status).to.equal(200);
    expect(await works()).to.deep.equal({ user: 10, org: 10, extra: ['org-10'] });
    const left = `/apis/iam.svc.app/v1beta1/namespaces/org-10/organizationbindings/${name}`;
    expect((await server().ask(left, { method: 'DELETE', headers: basic(admin, 'right') })).status).to.equal(200);
    expect(await works()).to.deep.equal({ user: 9, org: 9, extra: ['org-9'] });
  });
});
