import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { bridgeTo } from './harness.js';

const KINDS: Readonly<Record<string, string>> = {
  users: 'User',
  teams: 'Team',
  teambindings: 'TeamBinding',
  organizationbindings: 'OrganizationBinding',
  serviceaccounts: 'ServiceAccount',
  roles: 'Role',
  rolebindings: 'RoleBinding',
};

const pathOf = (plural: string, name = ''): string =>
  `/apis/iam.svc.app/v1beta1/${plural === 'users' ? '' : 'namespaces/default/'}${plural}${name && `/${name}`}`;

oneStore('an import from a source that says too much of people', (target) => {
  const { run, source } = bridgeTo(target);
  const make = async (server: () => Server, plural: string, name: string, spec: object): Promise<void> => {
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: KINDS[plural], metadata: { name }, spec };
    bodyOf(await server().call('POST', pathOf(plural), { body }), 201);
  };
  const patch = async (server: () => Server, plural: string, name: string, spec: object): Promise<void> => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    bodyOf(await server().call('PATCH', pathOf(plural, name), { body: { spec }, headers }), 200);
  };
  const specOf = async (plural: string, name: string) =>
    bodyOf(await target().call('GET', pathOf(plural, name)), 200).spec as Readonly<Record<string, unknown>>;
  const isHere = async (plural: string, name: string): Promise<boolean> =>
    (await target().call('GET', pathOf(plural, name))).status === 200;
  const member = (server: () => Server, name: string, role: string) =>
    make(server, 'organizationbindings', name, { userRef: { name }, role });

  before(async () => {
    for (const [server, alice, role] of [
      [source, 'alice-there', 'Admin'],
      [target, 'alice-here', 'Viewer'],
    ] as const) {
      await make(server, 'users', alice, { login: 'alice', email: 'alice@x.example' });
      await member(server, alice, role);
      await make(server, 'serviceaccounts', 'robot', { title: 'Robot', role, disabled: role === 'Viewer' });
      await make(server, 'teams', role === 'Admin' ? 'watch-there' : 'watch-here', {
        title: role === 'Admin' ? 'Night watch' : 'Night Watch',
        ...(role === 'Admin' && { groups: ['cn=watch'] }),
      });
      await make(server, 'teams', 'ops', { title: 'Ops', ...(role === 'Admin' && { groups: ['cn=everybody'] }) });
    }
    await make(target, 'users', 'owner', { login: 'owner', email: 'owner@x.example', grafanaAdmin: true });
    await make(source, 'users', 'owner', { login: 'evil', email: 'evil@x.example', grafanaAdmin: false });
    await make(source, 'users', 'boss', { login: 'boss', email: 'boss@x.example', grafanaAdmin: true });
    await make(source, 'users', 'bob', { login: 'bob', email: 'bob@x.example' });
    for (const name of ['boss', 'bob']) await member(source, name, 'Editor');
    await make(source, 'teambindings', 'ops.bob', {
      teamRef: { name: 'ops' },
      userRef: { name: 'bob' },
      permission: 'member',
    });
    await make(source, 'roles', 'wide', { name: 'wide', permissions: [{ action: 'users:write', scope: 'users:*' }] });
    await make(source, 'roles', 'plain', {
      name: 'plain',
      permissions: [{ action: 'folders:read', scope: 'folders:*' }],
    });
    await make(target, 'roles', 'plain', { name: 'plain', permissions: [] });
    for (const role of ['wide', 'plain'])
      await make(source, 'rolebindings', `${role}-bob`, {
        subject: { kind: 'User', name: 'bob' },
        roleRef: { kind: 'Role', name: role },
      });
    const body = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name: 'f' },
      spec: { title: 'F' },
    };
    await source().call('POST', '/apis/folder.svc.app/v1beta1/namespaces/default/folders', { body });
    for (const [name, scope] of [['f.alice', { folder: 'f' }]] as const)
      await make(source, 'rolebindings', name, {
        subject: { kind: 'User', name: 'alice-there' },
        roleRef: { kind: 'BuiltIn', name: 'Admin' },
        scope,
      });
  });

  const bindings = async () =>
    (bodyOf(await target().call('GET', pathOf('rolebindings')), 200).items as readonly { spec: object }[]).map(
      ({ spec }) => JSON.stringify(spec),
    );

  it('leaves who was here before as they are, gives them nothing, and says so', async () => {
    const { out, code } = await run();
    expect(code).to.equal(3);
    expect(await specOf('users', 'owner')).to.include({ login: 'owner', email: 'owner@x.example', grafanaAdmin: true });
    expect(await specOf('organizationbindings', 'alice-here')).to.include({ role: 'Viewer' });
    expect(await specOf('serviceaccounts', 'robot')).to.include({ role: 'Viewer', disabled: true });
    expect(await specOf('teams', 'ops')).to.not.have.property('groups');
    expect(await specOf('teams', 'watch-here'))
      .to.deep.include({ title: 'Night Watch' })
      .and.not.have.property('groups');
    expect(await isHere('teams', 'watch-there')).to.equal(false);
    expect(await isHere('teambindings', 'ops.bob')).to.equal(false);
    expect((await specOf('roles', 'plain'))['permissions']).to.deep.equal([]);
    expect(await bindings()).to.deep.equal([]);
    expect(out).to.contain(
      'left out: User alice: was here before, and keeps what they have here: 1 organizationbindings, ',
    );
    expect(out).to.contain('left out: ServiceAccount Robot: ').and.contain('left out: Team Ops: ');
    expect(out).to.contain('left out: Team Night watch: ').and.not.contain('skipped: teams');
    expect(out).to.contain('left out: role plain: was here before');
  });

  it('makes nobody an administrator of the server, and gives nobody permissions on all of it', async () => {
    expect(await specOf('users', 'boss')).to.include({ login: 'boss', grafanaAdmin: false });
    expect(await isHere('roles', 'wide')).to.equal(false);
    const { out } = await run({ isDryRun: true });
    expect(out).to.contain('left out: user boss: administers the server: not as there. --trust-people changes that');
    expect(out).to.contain('left out: role wide: is about the whole server').and.contain('Nothing else differs.');
  });

  it('neither enables whom it has made, nor changes how they sign in', async () => {
    await patch(target, 'users', 'bob', { disabled: true });
    await patch(source, 'users', 'bob', { login: 'owner2', email: 'other@x.example', name: 'Bob' });
    const { out } = await run();
    expect(await specOf('users', 'bob')).to.include({
      login: 'bob',
      email: 'bob@x.example',
      disabled: true,
      name: 'Bob',
    });
    expect(out).to.contain('left out: user owner2: the login, the e-mail address, is disabled: not as there');
  });

  it('changes the roles of whom it has made, but not if another source says so', async () => {
    await patch(source, 'organizationbindings', 'bob', { role: 'Viewer' });
    await run({ url: 'https://other.example' });
    expect(await specOf('organizationbindings', 'bob')).to.include({ role: 'Editor' });
    await run({ url: 'http://SOURCE.example/' });
    expect(await specOf('organizationbindings', 'bob')).to.include({ role: 'Viewer' });
  });

  it('takes no organization into another one that only has its number, unless that one is named', async () => {
    const title = async () =>
      bodyOf(await target().call('GET', '/apis/iam.svc.app/v1beta1/organizations/org-2'), 200).spec['title'];
    const rename = (name: string) => source().call('PUT', '/api/orgs/2', { body: { name } });
    for (const [server, name] of [
      [source, 'North'],
      [target, 'South'],
    ] as const)
      await server().call('POST', '/api/orgs', { body: { name } });
    const only = { organization: 2 };
    const { out } = await run(only);
    expect(out).to.contain(
      'skipped: organizations org-2 (North): the organization here with its number is another one',
    );
    expect(await title()).to.equal('South');
    const named = await run({ ...only, namespace: 'org-2' });
    expect(named.out).to.not.contain('is another one');
    // One that an import has made is the same also under a new title.
    await target().call('DELETE', '/api/orgs/2');
    await rename('West');
    await run({ ...only, url: 'https://other.example' });
    await rename('North');
    expect((await run(only)).out).to.contain('is another one, "West"');
    await run({ ...only, url: 'https://other.example' });
    expect(await title()).to.equal('North');
  });

  it('does all of that if it is told that people there are people here', async () => {
    const { out } = await run({ trustsPeople: true });
    expect(out).to.contain('note: user ').and.not.contain('left out: User');
    expect(await specOf('users', 'owner')).to.include({ login: 'evil', grafanaAdmin: false });
    expect(await specOf('users', 'boss')).to.include({ grafanaAdmin: true });
    expect(await specOf('users', 'bob')).to.include({ login: 'owner2', disabled: false });
    expect(await specOf('organizationbindings', 'alice-here')).to.include({ role: 'Admin' });
    expect(await specOf('serviceaccounts', 'robot')).to.include({ role: 'Admin', disabled: false });
    expect(await isHere('teambindings', 'ops.bob')).to.equal(true);
    expect(await specOf('teams', 'watch-here')).to.deep.include({ title: 'Night watch', groups: ['cn=watch'] });
    expect(await isHere('roles', 'wide')).to.equal(true);
    expect((await bindings()).filter((text) => text.includes('alice-here'))).to.have.length(1);
  });
});
