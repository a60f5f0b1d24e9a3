import { expect } from 'chai';
import type { OrganizationBindingSpec } from '../../apis/iam/organizationbinding/schema.js';
import type { UserSpec } from '../../apis/iam/user/schema.js';
import { failedWith } from './fake-provider.js';
import { oneWorld, type SignedIn } from './world.js';

const uidOf = ({ caller }: SignedIn): string => String(caller?.['uid']);

oneWorld('somebody whom SCIM has provisioned, without a password', (world) => {
  const provision = async (name: string, more: Partial<UserSpec> = {}): Promise<void> => {
    const { services } = world().server;
    const spec = { login: `${name}@scim.example.com`, email: `${name}@example.com`, name: `${name} by SCIM` };
    const rest = {
      disabled: false,
      grafanaAdmin: false,
      emailVerified: true,
      provisioned: true,
      provisionedBy: 'default',
    };
    await services.objects('iam/users').create({ metadata: { name }, spec: { ...spec, ...rest, ...more } });
    const binding: OrganizationBindingSpec = { userRef: { name }, role: 'Editor', provisioned: true, externalUID: 'x' };
    await services.objects('iam/organizationbindings', 'default').create({ metadata: { name }, spec: binding });
  };
  const claims = (name: string, isVerified = true) => ({
    preferred_username: `${name}-at-provider`,
    name: 'Another name',
    email: `${name}@example.com`,
    email_verified: isVerified,
  });
  const stored = <Spec>(resource: string, namespace: string, name: string) =>
    world().server.services.reader.get<Spec>(resource, namespace, name)?.spec;

  // Promise: security browsers
  it('signs in by a provider to the account with the verified address, and keeps what SCIM said', async () => {
    await provision('pia');
    expect(uidOf(await world().signInAs('pia', claims('pia')))).to.equal('pia');
    expect(uidOf(await world().signInAs('pia', claims('pia')))).to.equal('pia');
    expect(stored<UserSpec>('users.iam.svc.app', '', 'pia')).to.deep.include({
      login: 'pia@scim.example.com',
      email: 'pia@example.com',
      name: 'pia by SCIM',
    });
    expect(stored<OrganizationBindingSpec>('organizationbindings.iam.svc.app', 'default', 'pia')).to.deep.equal({
      userRef: { name: 'pia' },
      role: 'Editor',
      provisioned: true,
      externalUID: 'x',
    });
  });

  // Promise: security browsers
  it('is not found by an address that the provider has not verified, nor for a second person', async () => {
    await provision('quin');
    expect(failedWith((await world().signInAs('quin', claims('quin', false))).page)).to.equal('taken');
    expect(uidOf(await world().signInAs('quin', claims('quin')))).to.equal('quin');
    expect(failedWith((await world().signInAs('other-subject', claims('quin'))).page)).to.equal('taken');
  });

  it('cannot sign in while SCIM says that the person is not active', async () => {
    await provision('rob', { disabled: true });
    expect(failedWith((await world().signInAs('rob', claims('rob'))).page)).to.equal('not_allowed');
  });
});
