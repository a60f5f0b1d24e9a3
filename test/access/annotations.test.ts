import { expect } from 'chai';
import { resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { type Json, legacyOf } from '../legacy-api/legacy.js';
import { addDashboard, addFolder, addPeople, addRole, bind, DASHBOARDS, namesOf, person } from './people.js';

const KIND = { apiVersion: 'annotation.svc.app/v1beta1', resource: 'annotations', scope: 'Namespaced' } as const;
/** The member without a role. */
const NORM = person('norm');
const VERBS = ['read', 'create', 'write', 'delete'];

oneStore('permissions on annotations', (server) => {
  const { ask, call } = legacyOf(server);
  const resource = resourceOf(server, KIND);
  const ids: Record<string, number> = {};
  const make = async (name: string, dashboardUID = '', panelId = 1) => {
    const body = { text: name, time: 1000, tags: [name], dashboardUID, panelId };
    ids[name] = (await ask(200, 'POST', '/annotations', body)).id;
  };
  const asNorm = { user: NORM };
  const found = async (query = ''): Promise<readonly string[]> =>
    (await ask(200, 'GET', `/annotations?${query}`, undefined, asNorm)).map(({ text }: Json) => text).sort();
  const allow = async (role: string, scope: string) => {
    const permissions = VERBS.map((verb) => ({ action: `annotations:${verb}`, scope }));
    await addRole(server(), role, permissions);
    await bind(server(), role, { subject: ['User', 'norm'], role: ['Role', role] });
  };
  const disallow = (role: string) =>
    server().call('DELETE', `/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings/${role}`);

  before(async () => {
    await addPeople(server());
    for (const [folder, parent] of [['open'], ['inner', 'open'], ['shut']] as const)
      await addFolder(server(), folder, parent);
    for (const [name, folder] of [
      ['open-one', 'open'],
      ['inner-one', 'inner'],
      ['shut-one', 'shut'],
      ['root-one'],
    ] as const)
      await addDashboard(server(), name, folder);
    for (const name of ['open-one', 'inner-one', 'shut-one', 'root-one']) await make(name, name);
    await make('organization');
  });

  const SCOPES: Readonly<Record<string, readonly string[]>> = {
    'annotations:*': ['inner-one', 'open-one', 'organization', 'root-one', 'shut-one'],
    'annotations:type:*': ['inner-one', 'open-one', 'organization', 'root-one', 'shut-one'],
    'annotations:type:organization': ['organization'],
    'annotations:type:dashboard': ['inner-one', 'open-one', 'root-one', 'shut-one'],
    'dashboards:*': ['inner-one', 'open-one', 'root-one', 'shut-one'],
    'dashboards:uid:*': ['inner-one', 'open-one', 'root-one', 'shut-one'],
    'dashboards:uid:open-one': ['open-one'],
    'dashboards:uid:nowhere': [],
    'folders:*': ['inner-one', 'open-one', 'root-one', 'shut-one'],
    'folders:uid:*': ['inner-one', 'open-one', 'root-one', 'shut-one'],
    'folders:uid:open': ['inner-one', 'open-one'],
    'folders:uid:general': ['root-one'],
  };

  for (const [scope, names] of Object.entries(SCOPES)) {
    // Promise: specification 5
    it(`on ${scope} cover ${names.join(', ') || 'none'}, and no others, in both APIs`, async () => {
      const role = `role-${Object.keys(SCOPES).indexOf(scope)}`;
      await allow(role, scope);
      expect(await found()).to.deep.equal(names);
      expect((await namesOf(resource.list(asNorm))).length).to.equal(names.length);
      const { result } = await ask(200, 'GET', '/annotations/tags', undefined, asNorm);
      expect(result.tags).to.deep.equal(names.map((tag) => ({ tag, count: 1 })));
      for (const [name, id] of Object.entries(ids)) {
        const status = names.includes(name) ? 200 : 403;
        await ask(status, 'GET', `/annotations/${id}`, undefined, asNorm);
        await ask(status, 'PUT', `/annotations/${id}`, { text: name, tags: [name] }, asNorm);
        await ask(status, 'PATCH', `/annotations/${id}`, {}, asNorm);
        const dashboardUID = name === 'organization' ? '' : name;
        const body = { text: 'made', dashboardUID, panelId: 7 };
        const { id: made, message } = await ask(status, 'POST', '/annotations', body, asNorm);
        if (made === undefined) expect(message).to.equal('Access denied to save the annotation');
        else await ask(200, 'DELETE', `/annotations/${made}`, undefined, asNorm);
      }
      const isEverywhere = names.includes('root-one') && names.includes('shut-one');
      const lost = { text: 'lost', dashboardUID: 'nowhere' };
      await ask(isEverywhere ? 400 : 403, 'POST', '/annotations', lost, asNorm);
      const event = scope === 'annotations:*' || names.includes('organization') ? 200 : 403;
      const { id } = await ask(event, 'POST', '/annotations/evt', { what: 'x', tags: '' }, asNorm);
      if (id !== undefined) await ask(200, 'DELETE', `/annotations/${id}`, undefined, asNorm);
      await disallow(role);
    });
  }

  it('come with a permission on the dashboard or on its folder, and go with it', async () => {
    await bind(server(), 'viewing', { subject: ['User', 'norm'], role: ['BuiltIn', 'View'], folder: 'shut' });
    await bind(server(), 'editing', { subject: ['User', 'norm'], role: ['BuiltIn', 'Edit'], dashboard: 'root-one' });
    expect(await found()).to.deep.equal(['root-one', 'shut-one']);
    expect(await found('dashboardUID=open-one')).to.deep.equal([]);
    const save = (dashboardUID: string, status: number) =>
      ask(status, 'POST', '/annotations', { text: 'own', dashboardUID }, asNorm);
    const { id } = await save('root-one', 200);
    await save('shut-one', 403);
    await save('', 403);
    await ask(200, 'DELETE', `/annotations/${id}`, undefined, asNorm);
    await ask(403, 'DELETE', `/annotations/${ids['shut-one']}`, undefined, asNorm);
    const massDelete = (dashboardUID: string) =>
      call('POST', '/annotations/mass-delete', { body: { dashboardUID, panelId: 9 }, ...asNorm });
    expect((await massDelete('shut-one')).status).to.equal(403);
    expect((await massDelete('nowhere')).status).to.equal(403);
    expect((await massDelete('root-one')).status).to.equal(200);
    for (const name of ['viewing', 'editing']) await disallow(name);
    await ask(403, 'GET', '/annotations', undefined, asNorm);
  });

  it('are told in the meta of a dashboard as the requests are answered', async () => {
    const flags = (may: boolean) => ({ canAdd: may, canEdit: may, canDelete: may });
    const told = async () =>
      (await ask(200, 'GET', '/dashboards/uid/root-one', undefined, asNorm)).meta.annotationsPermissions;
    const post = async (dashboardUID: string) =>
      (await call('POST', '/annotations', { body: { text: 'own', dashboardUID, panelId: 9 }, ...asNorm })).status;
    const attempts = async () => [await post('root-one'), await post('')];
    await bind(server(), 'editing-one', {
      subject: ['User', 'norm'],
      role: ['BuiltIn', 'Edit'],
      dashboard: 'root-one',
    });
    expect(await told()).to.deep.equal({ dashboard: flags(true), organization: flags(false) });
    expect(await attempts()).to.deep.equal([200, 403]);
    await disallow('editing-one');
    await bind(server(), 'viewing-one', {
      subject: ['User', 'norm'],
      role: ['BuiltIn', 'View'],
      dashboard: 'root-one',
    });
    expect(await told()).to.deep.equal({ dashboard: flags(false), organization: flags(false) });
    expect(await attempts()).to.deep.equal([403, 403]);
    await allow('of-organization', 'annotations:type:organization');
    expect(await told()).to.deep.equal({ dashboard: flags(false), organization: flags(true) });
    expect(await attempts()).to.deep.equal([403, 200]);
    await allow('of-dashboards', 'annotations:type:dashboard');
    expect(await told()).to.deep.equal({ dashboard: flags(true), organization: flags(true) });
    expect(await attempts()).to.deep.equal([200, 200]);
    for (const name of ['viewing-one', 'of-organization', 'of-dashboards']) await disallow(name);
    const own = await ask(200, 'GET', '/annotations?limit=100');
    for (const { id, text } of own) if (text === 'own') await ask(200, 'DELETE', `/annotations/${id}`);
  });

  it('are needed on both dashboards to move an annotation from one to the other', async () => {
    await allow('moving', 'dashboards:uid:open-one');
    const metadata = { name: 'moved' };
    const spec = { text: 'moved', time: 1, dashboardUID: 'open-one' };
    const object = { apiVersion: KIND.apiVersion, kind: 'Annotation', metadata, spec };
    expect((await resource.create(object, asNorm)).status).to.equal(201);
    const move = async (to: string, options = {}) =>
      (await resource.merge('moved', { spec: { dashboardUID: to } }, options)).status;
    expect(await move('shut-one', asNorm)).to.equal(403);
    expect(await move('', asNorm)).to.equal(403);
    expect(await move('nowhere', asNorm)).to.equal(403);
    expect(await move('shut-one')).to.equal(200);
    expect(await found('dashboardUID=shut-one')).to.deep.equal([]);
    expect(await move('open-one', asNorm)).to.equal(403);
    expect((await resource.remove('moved')).status).to.equal(200);
    await disallow('moving');
  });

  it('change with the folder of the dashboard, and end watches that would show others', async () => {
    await allow('movers', 'folders:uid:open');
    const frames = await resource.watch({}, asNorm);
    const body = { metadata: { annotations: { 'svc.app/folder': 'open' } } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    await server().call('PATCH', `${DASHBOARDS}/shut-one`, { body, headers });
    const events = await frames.until(({ type }) => type === 'ERROR');
    await frames.close();
    expect(events.map(({ object }) => object.spec?.['text'] ?? object.code)).to.have.members([
      'inner-one',
      'open-one',
      410,
    ]);
    expect(await found()).to.deep.equal(['inner-one', 'open-one', 'shut-one']);
    await disallow('movers');
  });
});
