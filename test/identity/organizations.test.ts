import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { countOf, iam, until } from './iam.js';

oneStore('organizations', (server) => {
  const { make, made, merge, get, remove, names } = iam(server);
  const gone = (name: string) => until(async () => (await get('Organization', name)).status === 404);
  const idOf = (body: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }) =>
    body.metadata.labels?.['svc.app/deprecatedInternalID'];

  it('include one with id 1 from the start', async () => {
    expect(idOf(bodyOf(await get('Organization', 'default'), 200))).to.equal('1');
  });

  // Promise: specification 2.10
  it('are named after their id if a request has no name', async () => {
    const one = await made('Organization', '', { title: freshName('Org') });
    expect(one.metadata.name).to.equal(`org-${idOf(one)}`);
    const next = Number(idOf(one)) + 1;
    await made('Organization', `org-${next + 1}`, { title: freshName('Org') });
    const after = await made('Organization', '', { title: freshName('Org') });
    expect(after.metadata.name, 'a name that is taken is skipped').to.equal(`org-${idOf(after)}`);
  });

  it('have unique titles', async () => {
    const title = freshName('Title');
    await made('Organization', '', { title });
    expectStatus(await make('Organization', '', { title: title.toUpperCase() }), 422, 'Invalid', 'spec.title');
  });

  it('must exist before objects can be created in their namespace', async () => {
    expectStatus(
      await make('Team', 'ops', { title: 'Ops' }, 'nowhere'),
      404,
      'NotFound',
      'namespaces "nowhere" not found',
    );
  });

  it('are deleted with all of their contents, including the last administrator', async () => {
    const [name, user] = [freshName('organization'), freshName('u')];
    await made('Organization', name, { title: name });
    await made('User', user, { login: user });
    await made('OrganizationBinding', user, { userRef: { name: user }, role: 'Admin' }, name);
    for (let i = 0; i < 150; i++) await made('Team', `t-${i}`, { title: `T ${i}` }, name);
    const { metadata } = bodyOf(await remove('Organization', name), 200);
    expect(metadata.deletionTimestamp).to.be.a('string');
    await gone(name);
    const { kinds } = server().api.registry;
    for (const { scope, qualified } of kinds)
      if (scope === 'Namespaced') expect(await countOf(server(), qualified, name), qualified).to.equal(0);
    expect((await get('User', user)).status).to.equal(200);
    expectStatus(await make('Team', 'ops', { title: 'Ops' }, name), 404, 'NotFound');
  });

  it('accept no new objects while they terminate, and wait for objects with finalizers', async () => {
    const name = freshName('organization');
    await made('Organization', name, { title: name });
    await made('Team', 'held', { title: 'Held' }, name);
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: ['example.com/hold'] } }, name), 200);
    bodyOf(await remove('Organization', name), 200);
    const refused = expectStatus(await make('Team', 'late', { title: 'Late' }, name), 403, 'Forbidden');
    expect(refused.message).to.include(
      `unable to create new content in namespace ${name} because it is being terminated`,
    );
    expect(refused.details.causes?.map(({ reason }) => reason)).to.deep.equal(['NamespaceTerminating']);
    bodyOf(await remove('Organization', name), 200);
    bodyOf(await merge('Organization', name, { metadata: { labels: { a: '1' } } }), 200);
    expect((await get('Organization', name)).status, 'it stays while it has contents').to.equal(200);
    const { status } = bodyOf(await server().call('GET', `/api/v1/namespaces/${name}`), 200);
    expect(status).to.deep.equal({ phase: 'Terminating' });
    await until(async () => bodyOf(await get('Team', 'held', name), 200).metadata.deletionTimestamp !== undefined);
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: null } }, name), 200);
    await gone(name);
  });

  it('without contents are removed at once', async () => {
    const name = freshName('organization');
    const { metadata } = await made('Organization', name, { title: name });
    const { kind, details } = bodyOf(await remove('Organization', name), 200);
    expect([kind, details.name, details.uid]).to.deep.equal(['Status', name, metadata.uid]);
    expect((await get('Organization', name)).status).to.equal(404);
  });

  it('are emptied by the next server if the first one stops meanwhile', async () => {
    const name = freshName('organization');
    await made('Organization', name, { title: name });
    await made('Team', 'held', { title: 'Held' }, name);
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: ['example.com/hold'] } }, name), 200);
    bodyOf(await remove('Organization', name), 200);
    await server().restart();
    await until(async () => bodyOf(await get('Team', 'held', name), 200).metadata.deletionTimestamp !== undefined);
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: null } }, name), 200);
    await gone(name);
  });

  it('refuse to delete the first organization', async () => {
    await changingNothing(server(), async () => {
      expectStatus(await remove('Organization', 'default'), 403, 'Forbidden', 'may not be deleted');
    });
  });

  it('each keep an administrator, even with concurrent requests', async () => {
    const name = freshName('organization');
    await made('Organization', name, { title: name });
    const users = Array.from({ length: 6 }, () => freshName('u'));
    for (const user of users) {
      await made('User', user, { login: user });
      await made('OrganizationBinding', user, { userRef: { name: user }, role: 'Admin' }, name);
    }
    const ways = [
      (user: string) => remove('OrganizationBinding', user, name),
      (user: string) => merge('OrganizationBinding', user, { spec: { role: 'Viewer' } }, name),
      (user: string) => remove('User', user),
    ];
    const answers = await Promise.all(users.map((user, index) => ways[index % 3]?.(user)));
    const refused = answers.filter((answer) => answer?.status !== 200);
    expect(refused).to.have.lengthOf(1);
    for (const answer of refused)
      if (answer) expectStatus(answer, 403, 'Forbidden', 'Cannot remove last organization admin');
  });

  it('name a membership after its user', async () => {
    const user = freshName('u');
    await made('User', user, { login: user });
    const answer = await make('OrganizationBinding', freshName('b'), { userRef: { name: user }, role: 'Viewer' });
    expectStatus(answer, 422, 'Invalid', 'spec.userRef.name');
  });

  it('are served as namespaces', async () => {
    const name = freshName('organization');
    await made('Organization', name, { title: name });
    const watching = await server().call('GET', '/api/v1/namespaces', { query: { watch: true } });
    const list = bodyOf(await server().call('GET', '/api/v1/namespaces'), 200);
    expect(list.kind).to.equal('NamespaceList');
    expect(list.items.map(({ metadata }) => metadata.name)).to.deep.equal(await names('Organization'));
    const one = bodyOf(await server().call('GET', `/api/v1/namespaces/${name}`), 200);
    expect(one).to.deep.include({ apiVersion: 'v1', kind: 'Namespace', status: { phase: 'Active' } });
    expect(one.metadata.resourceVersion).to.equal(
      bodyOf(await get('Organization', name), 200).metadata.resourceVersion,
    );
    bodyOf(await remove('Organization', name), 200);
    const events = await watching.frames.until(
      ({ type, object }) => type === 'DELETED' && object.metadata.name === name,
    );
    const own = events.filter(({ object }) => object.metadata.name === name);
    for (const { object } of own) expect(object).to.include({ apiVersion: 'v1', kind: 'Namespace' });
    const seen = own.map(({ type }) => type);
    expect(seen[0]).to.equal('ADDED');
    expect(seen.at(-1)).to.equal('DELETED');
  });

  it('can be selected by phase as namespaces, in lists and watches', async () => {
    const [name, path] = [freshName('organization'), '/api/v1/namespaces'];
    const select = async (fieldSelector: string) =>
      bodyOf(await server().call('GET', path, { query: { fieldSelector } }), 200).items.map(
        ({ metadata }) => metadata.name,
      );
    const watching = (fieldSelector: string) =>
      server().call('GET', path, { query: { fieldSelector, watch: true, resourceVersion: start } });
    const { metadata } = await made('Organization', name, { title: name });
    const start = metadata.resourceVersion ?? '';
    const [active, terminating] = [
      await watching(`status.phase=Active,metadata.name=${name}`),
      await watching(`status.phase!=Active,metadata.name=${name}`),
    ];
    expect(await select('status.phase=Active')).to.include.members(['default', name]);
    expect(await select('status.phase=Terminating')).to.not.include(name);
    await made('Team', 'held', { title: 'Held' }, name);
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: ['example.com/hold'] } }, name), 200);
    bodyOf(await remove('Organization', name), 200);
    expect(await select('status.phase=Active'))
      .to.include('default')
      .and.not.include(name);
    expect(await select('status.phase=Terminating')).to.deep.equal([name]);
    expect((await active.frames.take(1)).map(({ type }) => type)).to.deep.equal(['DELETED']);
    expect((await terminating.frames.take(1)).map(({ type }) => type)).to.deep.equal(['ADDED']);
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: null } }, name), 200);
    await gone(name);
    const unknown = await server().call('GET', path, { query: { fieldSelector: 'spec.title=x' } });
    expectStatus(unknown, 400, 'BadRequest', 'field label not supported: spec.title');
  });

  it('have a status as namespaces, which is read only', async () => {
    const path = '/api/v1/namespaces/default/status';
    const whole = bodyOf(await server().call('GET', '/api/v1/namespaces/default'), 200);
    expect(bodyOf(await server().call('GET', path), 200)).to.deep.equal(whole);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = { status: { phase: 'Terminating' } };
    expectStatus(await server().call('PATCH', path, { body, headers }), 405, 'MethodNotAllowed');
    expectStatus(await server().call('PUT', path, { body: { ...whole, ...body } }), 405, 'MethodNotAllowed');
    for (const other of [`${path}/phase`, '/api/v1/namespaces/default/finalize', '/api/v1/namespaces/none/status']) {
      expectStatus(await server().call('GET', other), 404, 'NotFound');
    }
  });
});
