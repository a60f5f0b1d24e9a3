import { expect } from 'chai';
import { account, addPeople, HERE, person } from '../access/people.js';
import { accepted, bodyOf, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { LEGACY, PATH, setting, signOnCalls } from './settings.js';

const ROBOT = account('robot');

oneStore('permissions on sign-on settings', (server) => {
  const { put, list } = signOnCalls(server);
  const call = (method: string, path: string, body?: unknown, user = ROBOT) =>
    server().call(method, path, { user, ...(body !== undefined && { body }) });
  const grant = async (name: string, permissions: readonly object[], subject: object): Promise<void> => {
    const make = (kind: string, spec: object) =>
      server().call('POST', `${HERE}/${kind.toLowerCase()}s`, {
        body: { apiVersion: 'iam.svc.app/v1beta1', kind, metadata: { name }, spec },
      });
    accepted(await make('Role', { permissions }), 201);
    accepted(await make('RoleBinding', { roleRef: { kind: 'Role', name }, subject }), 201);
  };

  before(async () => {
    await addPeople(server());
    const on = (scope: string) => ['settings:read', 'settings:write'].map((action) => ({ action, scope }));
    await grant('sso-gitlab', on('settings:auth.gitlab:*'), { kind: 'ServiceAccount', name: 'robot' });
    await grant('sso-all', on('settings:*'), { kind: 'User', name: 'edith' });
    accepted(await put('github', { clientId: 'a' }), 204);
    accepted(await put('gitlab', { clientId: 'a', clientSecret: 'kept' }), 204);
  });

  it('are granted by provider, and hide the others', async () => {
    const seen = accepted(await call('GET', LEGACY), 200);
    expect((JSON.parse(seen.text) as { provider: string }[]).map(({ provider }) => provider)).to.deep.equal(['gitlab']);
    expect(bodyOf(await call('GET', PATH), 200).items.map(({ metadata }) => metadata.name)).to.deep.equal(['gitlab']);
    accepted(await call('PUT', `${LEGACY}/gitlab`, { settings: { clientId: 'b', clientSecret: '*********' } }), 204);
    for (const name of ['github', 'okta', 'gitlab-west', 'nothing']) {
      for (const method of ['GET', 'DELETE']) accepted(await call(method, `${LEGACY}/${name}`), 403);
      accepted(await call('PUT', `${LEGACY}/${name}`, { settings: { clientId: 'b' } }), 403);
      accepted(await call('POST', `${LEGACY}/${name}/test`), 403);
      expectStatus(await call('GET', `${PATH}/${name}`), 403, 'Forbidden');
    }
    expectStatus(await call('POST', PATH, setting('gitlab-west', { clientId: 'b' })), 403, 'Forbidden');
  });

  it('are granted for all providers', async () => {
    const seen = accepted(await call('GET', LEGACY, undefined, person('edith')), 200);
    expect(JSON.parse(seen.text)).to.deep.equal(await list());
  });

  const RESERVED = [
    [{ allowAssignGrafanaAdmin: true }, 'Allow assign Grafana Admin can only be updated by Grafana Server Admins.'],
    [{ orgMapping: '*:1:Admin' }, 'Organization mapping can only be updated by Grafana Server Admins.'],
    [{ orgAttributePath: 'org' }, 'Organization attribute path can only be updated by Grafana Server Admins.'],
  ] as const;
  for (const [change, message] of RESERVED) {
    it(`${Object.keys(change)[0]} can only be set, kept or taken away as a server administrator allows`, async () => {
      const settings = { clientId: 'a' };
      accepted(await put('gitlab', settings), 204);
      const sent = async (body: object) => call('PUT', `${LEGACY}/gitlab`, { settings: body });
      expect(accepted(await sent({ ...settings, ...change }), 400).json()).to.include({ message });
      expectStatus(
        await call('PUT', `${PATH}/gitlab`, setting('gitlab', { ...settings, ...change })),
        422,
        'Invalid',
        message,
      );
      accepted(await put('gitlab', { ...settings, ...change }), 204);
      accepted(await sent({ ...settings, ...change, name: 'Renamed' }), 204);
      expect(accepted(await sent(settings), 400).json()).to.include({ message });
    });
  }

  it('do not suffice to change whose signatures count at a SAML provider, or which of its roles administer', async () => {
    const edith = person('edith');
    const sent = (settings: object) => call('PUT', `${LEGACY}/saml`, { settings }, edith);
    const first = { idpMetadataUrl: 'https://id.example.com' };
    accepted(await sent(first), 204);
    const message = 'Only server administrators may change idpMetadataUrl of a provider that has metadata.';
    expect(accepted(await sent({ idpMetadataUrl: 'https://evil.example' }), 400).json()).to.include({ message });
    expect(accepted(await sent({ ...first, idpMetadata: '<EntityDescriptor/>' }), 400).json().message).to.contain(
      'idpMetadata',
    );
    accepted(await call('DELETE', `${LEGACY}/saml`, undefined, edith), 400);
    expect(accepted(await sent({ ...first, roleValuesGrafanaAdmin: 'x' }), 400).json().message).to.contain(
      'Role values',
    );
    accepted(await sent({ ...first, name: 'Corp' }), 204);
    accepted(await put('saml', { idpMetadataUrl: 'https://new.example.com' }), 204);
  });

  it('do not suffice to choose who becomes server administrator, while the provider can make some', async () => {
    const settings = { clientId: 'a', allowAssignGrafanaAdmin: true, roleAttributePath: "'Viewer'" };
    accepted(await put('gitlab', settings), 204);
    const sent = (body: object) => call('PUT', `${LEGACY}/gitlab`, { settings: body });
    const { message } = accepted(await sent({ ...settings, roleAttributePath: "'GrafanaAdmin'" }), 400).json();
    expect(message).to.contain('only server administrators may change roleAttributePath');
    accepted(await sent({ ...settings, clientId: 'b' }), 400);
    accepted(await sent({ ...settings, name: 'Ours', enabled: true }), 204);
    accepted(await call('DELETE', `${LEGACY}/gitlab`), 400);
    expectStatus(await call('DELETE', `${PATH}/gitlab`), 422, 'Invalid', 'Allow assign Grafana Admin');
    accepted(await put('gitlab', { clientId: 'a' }), 204);
    accepted(await call('DELETE', `${LEGACY}/gitlab`), 204);
  });
});
