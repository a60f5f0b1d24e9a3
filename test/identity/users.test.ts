import { expect } from 'chai';
import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import { Client } from '../../registry/client/client.js';
import type { KindName } from '../../registry/kinds/compiled.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { countOf, iam } from './iam.js';

oneStore('users', (server) => {
  const { make, made, merge, get, remove, names } = iam(server);

  /** Writes an object of an internal kind as the server itself. */
  const internal = async (kindName: KindName, name: string, spec: unknown, namespace = ''): Promise<void> => {
    const { registry } = server().api;
    const client = new Client(registry, { user: SYSTEM_USER });
    await client.objects(registry.compiled.get(kindName), namespace).create({ metadata: { name }, spec });
  };

  const causes = (answer: Parameters<typeof expectStatus>[0]) =>
    expectStatus(answer, 422, 'Invalid').details.causes?.map(({ field, reason }) => `${field} ${reason}`);

  it('get their e-mail address as login, or their login as e-mail address, if one of them is missing', async () => {
    const [one, two] = [freshName('u'), freshName('u')];
    expect((await made('User', one, { email: `${one}@example.com` })).spec['login']).to.equal(`${one}@example.com`);
    expect((await made('User', two, { login: two })).spec['email']).to.equal(two);
  });

  it('need a login or an e-mail address', async () => {
    const answer = await make('User', freshName('u'), { name: 'Nobody' });
    expectStatus(answer, 422, 'Invalid', 'Need to specify either username or email');
  });

  it('cannot have a login that is reserved for the server', async () => {
    expect(causes(await make('User', freshName('u'), { login: 'System:serviceaccount:default:x' }))).to.deep.equal([
      'spec.login FieldValueInvalid',
    ]);
  });

  it('have unique logins and e-mail addresses, regardless of case, also compared with each other', async () => {
    const name = freshName('u');
    await made('User', name, { login: name, email: `${name}@example.com` });
    const other = (spec: unknown) => make('User', freshName('u'), spec);
    expect(causes(await other({ login: name.toUpperCase(), email: 'a@b' }))).to.include(
      'spec.login FieldValueDuplicate',
    );
    expect(causes(await other({ login: freshName('u'), email: `${name}@EXAMPLE.com` }))).to.deep.equal([
      'spec.email FieldValueDuplicate',
    ]);
    expect(causes(await other({ login: `${name}@example.com`, email: 'a@b' }))).to.deep.equal([
      'spec.login FieldValueDuplicate',
    ]);
    expect(causes(await other({ login: freshName('u'), email: name }))).to.deep.equal([
      'spec.email FieldValueDuplicate',
    ]);
  });

  it('cannot be changed to the login or the e-mail address of another one', async () => {
    const [one, two] = [freshName('u'), freshName('u')];
    for (const name of [one, two]) await made('User', name, { login: name, email: `${name}@example.com` });
    for (const spec of [{ login: two.toUpperCase() }, { email: `${two}@EXAMPLE.com` }]) {
      const [field] = Object.keys(spec);
      expect(causes(await merge('User', one, { spec }))).to.deep.equal([`spec.${field} FieldValueDuplicate`]);
    }
  });

  it('keep the login, the e-mail address and the name that a provider gives them, but may be disabled here', async () => {
    const [one, other] = [freshName('u'), freshName('u')];
    for (const name of [one, other]) await made('User', name, { login: name, email: `${name}@example.com` });
    await internal('internal/ExternalIdentity', freshName('e'), {
      userRef: { name: one },
      provider: 'github',
      issuer: 'https://github.com',
      subject: one,
      syncsRoles: false,
      syncsAdministrator: false,
    });
    const changes = [{ login: freshName('u') }, { email: `${freshName('u')}@example.com` }, { name: 'Another name' }];
    for (const spec of changes) {
      const refusal = expectStatus(await merge('User', one, { spec }), 403, 'Forbidden');
      expect(refusal.details.causes?.[0]).to.include({ reason: 'ExternalUser' });
      bodyOf(await merge('User', other, { spec }), 200);
    }
    bodyOf(await merge('User', one, { spec: { login: one, disabled: true } }), 200);
  });

  it('lose their sessions when they are disabled, and not by another change', async () => {
    const user = freshName('u');
    await made('User', user, { login: user });
    await internal('internal/Session', freshName('s'), {
      userRef: { name: user },
      hash: 'b'.repeat(64),
      createdAt: new Date().toISOString(),
    });
    const before = await server().end();
    bodyOf(await merge('User', user, { spec: { name: 'Another name' } }), 200);
    expect(await server().end()).to.equal(before + 1);
    bodyOf(await merge('User', user, { spec: { disabled: true } }), 200);
    expect(await server().end()).to.equal(before + 3);
  });

  for (const field of ['login', 'email'] as const) {
    it(`get one ${field} once, if 64 are created with it at the same time`, async () => {
      const wanted = freshName('raced');
      const answers = await Promise.all(
        Array.from({ length: 64 }, () => {
          const name = freshName('racer');
          return make('User', name, { login: name, email: `${name}@example.com`, [field]: wanted });
        }),
      );
      expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(1);
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201, 422]));
    });
  }

  it('can be made server administrators by server administrators only', async () => {
    const name = freshName('u');
    await made('User', name, { login: name });
    const { kinds } = server().api.registry;
    const kind = kinds.find(({ kind: one }) => one === 'User');
    if (kind === undefined) throw new Error('no kind User');
    const writer = { ...ADMIN, groups: ['system:authenticated'] };
    const client = new Client(server().api.registry, { user: writer, isTrusted: true });
    const promote = client.update(kind, '', name, (old) => ({
      ...old,
      spec: { ...(old.spec as object), grafanaAdmin: true },
    }));
    expect(await promote.catch((error: { code: number }) => error.code)).to.equal(403);
  });

  it('include an administrator always: the last one cannot be deleted, disabled or demoted, even by concurrent requests', async () => {
    const admins = Array.from({ length: 8 }, () => freshName('admin'));
    for (const name of admins) await made('User', name, { login: name, grafanaAdmin: true });
    const ways = [
      (name: string) => remove('User', name),
      (name: string) => merge('User', name, { spec: { grafanaAdmin: false } }),
      (name: string) => merge('User', name, { spec: { disabled: true } }),
    ];
    const answers = await Promise.all(admins.map((name, index) => ways[index % 3]?.(name)));
    const refused = answers.filter((answer) => answer?.status !== 200);
    expect(refused).to.have.lengthOf(1);
    for (const answer of refused)
      if (answer) expectStatus(answer, 403, 'Forbidden', 'cannot remove last grafana admin');
    const list = bodyOf(await server().call('GET', '/apis/iam.svc.app/v1beta1/users'), 200).items;
    const [last, ...more] = list.filter(({ spec }) => spec['grafanaAdmin'] === true && spec['disabled'] !== true);
    expect(more).to.deep.equal([]);
    for (const way of ways) {
      await changingNothing(server(), async () => {
        expectStatus(await way(last?.metadata.name ?? ''), 403, 'Forbidden', 'cannot remove last grafana admin');
      });
    }
  });

  it('are deleted with their memberships, bindings, preferences, credentials and sessions', async () => {
    const [user, team] = [freshName('u'), freshName('t')];
    await made('User', user, { login: user });
    await made('Team', team, { title: team });
    await made('OrganizationBinding', user, { userRef: { name: user }, role: 'Viewer' });
    await made('TeamBinding', `${team}.${user}`, { teamRef: { name: team }, userRef: { name: user } });
    await made('RoleBinding', user, {
      subject: { kind: 'User', name: user },
      roleRef: { kind: 'BuiltIn', name: 'Editor' },
    });
    await made('Preferences', `user-${user}`, { theme: 'dark' });
    const before = await server().end();
    const at = '2026-01-01T00:00:00Z';
    await internal('internal/Credential', user, { hash: 'x' });
    await internal('internal/LastSeen', user, { at });
    await internal('internal/Session', freshName('s'), {
      userRef: { name: user },
      hash: 'a'.repeat(64),
      createdAt: at,
    });
    expect(await server().end()).to.equal(before + 3);
    bodyOf(await remove('User', user), 200);
    expect((await get('User', user)).status).to.equal(404);
    for (const kind of ['OrganizationBinding', 'TeamBinding', 'RoleBinding', 'Preferences'])
      expect(await names(kind), kind).to.satisfy((all: readonly string[]) => all.every((one) => !one.includes(user)));
    for (const resource of ['credentials', 'lastseens', 'sessions'])
      expect(await countOf(server(), `${resource}.internal.svc.app`, ''), resource).to.equal(0);
    expect((await get('Team', team)).status).to.equal(200);
    expect(await server().end(), 'one change each, in one commit').to.equal(before + 3 + 8);
  });

  it('lose their teams in an organization when they leave it', async () => {
    const [user, team] = [freshName('u'), freshName('t')];
    await made('User', user, { login: user });
    await made('Team', team, { title: team });
    await made('OrganizationBinding', user, { userRef: { name: user }, role: 'Viewer' });
    await made('TeamBinding', `${team}.${user}`, { teamRef: { name: team }, userRef: { name: user } });
    bodyOf(await remove('OrganizationBinding', user), 200);
    expect((await get('TeamBinding', `${team}.${user}`)).status).to.equal(404);
    expect((await get('User', user)).status).to.equal(200);
  });
});

oneStore('teams and service accounts', (server) => {
  const { make, made, merge, get, remove } = iam(server);

  for (const kind of ['Team', 'ServiceAccount']) {
    it(`get a title once in each organization, if 64 objects of kind ${kind} are created with it at the same time`, async () => {
      await made('Organization', `two-${kind.toLowerCase()}`, { title: `Two ${kind}` });
      for (const namespace of ['default', `two-${kind.toLowerCase()}`]) {
        const answers = await Promise.all(
          Array.from({ length: 64 }, (_, index) =>
            make(kind, freshName('r'), { title: index % 2 ? 'Raced' : 'RACED' }, namespace),
          ),
        );
        expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(1);
      }
    });
  }

  it('have a user as member at most once, and the user of a membership cannot be changed', async () => {
    const [team, one, two] = [freshName('t'), freshName('u'), freshName('u')];
    for (const name of [one, two]) await made('User', name, { login: name });
    await made('OrganizationBinding', one, { userRef: { name: one }, role: 'Viewer' });
    await made('Team', team, { title: team });
    const binding = { teamRef: { name: team }, userRef: { name: one } };
    expect((await made('TeamBinding', `${team}.${one}`, binding)).spec['permission']).to.equal('member');
    expectStatus(await make('TeamBinding', freshName('b'), binding), 422, 'Invalid', 'member of this team already');
    const other = await merge('TeamBinding', `${team}.${one}`, { spec: { userRef: { name: two } } });
    expectStatus(other, 422, 'Invalid', 'immutable');
  });

  it('are deleted with their bindings and preferences', async () => {
    const [team, user, account] = [freshName('t'), freshName('u'), freshName('a')];
    await made('User', user, { login: user });
    await made('OrganizationBinding', user, { userRef: { name: user }, role: 'Viewer' });
    await made('Team', team, { title: team });
    await made('ServiceAccount', account, { title: account });
    await made('TeamBinding', `${team}.${user}`, { teamRef: { name: team }, userRef: { name: user } });
    await made('Preferences', `team-${team}`, { theme: 'light' });
    const folder = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name: 'shared' },
      spec: { title: 'Shared' },
    };
    const folders = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
    bodyOf(await server().call('POST', folders, { body: folder }), 201);
    const scope = { folder: 'shared' };
    const roleRef = { kind: 'BuiltIn', name: 'Edit' };
    for (const [kind, name] of [
      ['Team', team],
      ['ServiceAccount', account],
      ['User', user],
    ] as const)
      await made('RoleBinding', `shared.${name}`, { subject: { kind, name }, roleRef, scope });
    bodyOf(await remove('Team', team), 200);
    bodyOf(await remove('ServiceAccount', account), 200);
    for (const name of [`shared.${team}`, `shared.${account}`])
      expect((await get('RoleBinding', name)).status, name).to.equal(404);
    expect((await get('TeamBinding', `${team}.${user}`)).status).to.equal(404);
    expect((await get('Preferences', `team-${team}`)).status).to.equal(404);
    bodyOf(await server().call('DELETE', `${folders}/shared`), 200);
    expect((await get('RoleBinding', `shared.${user}`)).status, 'is deleted with its folder').to.equal(404);
  });

  it('can only be bound to objects that can exist', async () => {
    const teamBinding = { teamRef: { name: 'no.ne' }, userRef: { name: 'nobody' } };
    const answer = await make('TeamBinding', freshName('b'), teamBinding);
    expectStatus(answer, 422, 'Invalid', 'there is no "no.ne" in teams.iam.svc.app');
    const subject = { kind: 'BasicRole', name: 'Viewer' };
    const binding = { subject, roleRef: { kind: 'BuiltIn', name: 'View' }, scope: { folder: 'general' } };
    expectStatus(
      await make('RoleBinding', freshName('b'), binding),
      422,
      'Invalid',
      'there is no "general" in folders',
    );
  });
});
