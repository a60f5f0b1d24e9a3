import { expect } from 'chai';
import { eachStore, inFolder, PRIVATE, TOKEN, thereAt, type World } from './world.js';

interface Loaded {
  readonly dashboard: { readonly title: string; readonly tags?: readonly string[] };
  readonly meta: { readonly folderUid: string; readonly version: number };
}

async function dashboardThere(world: World, uid: string): Promise<Loaded | undefined> {
  const { status, body } = await thereAt(world, `/api/dashboards/uid/${uid}`);
  return status === 404 ? undefined : (body as Loaded);
}

async function rolesThere(world: World, folder: string): Promise<readonly string[]> {
  const { body } = await thereAt(world, `/api/folders/${folder}/permissions`);
  const items = body as readonly { readonly role?: string; readonly permission: number }[];
  return items.flatMap(({ role, permission }) => (role ? [`${role} ${permission}`] : [])).sort();
}

eachStore('a mirror', (world) => {
  afterEach(() => expect(world().proxy.wrong).to.deep.equal([]));

  it('sends folders and dashboards that are there already, and what changes afterwards', async () => {
    const { put, remove, mirror, arrived, proxy } = world();
    await put('folder', 'north', { title: 'North' });
    await put('folder', 'oslo', { title: 'Oslo' }, inFolder('north'));
    await put('dashboard', 'heat', { title: 'Heat', panels: [{ id: 1 }] }, inFolder('oslo'));
    await put('dashboard', 'top', { title: 'Top' });
    await mirror('site');
    const { objects } = await arrived('site');
    expect(objects).to.deep.equal([
      { kind: 'Folder', count: 2 },
      { kind: 'Dashboard', count: 2 },
    ]);
    expect((await thereAt(world(), '/api/folders/oslo')).body).to.include({ title: 'Oslo', parentUid: 'north' });
    expect((await dashboardThere(world(), 'heat'))?.meta.folderUid).to.equal('oslo');
    expect(new Set(proxy.requests.map(({ headers }) => headers.authorization))).to.deep.equal(
      new Set([`Bearer ${TOKEN}`]),
    );

    await put('dashboard', 'heat', { title: 'Heat 2' }, inFolder('north'));
    await put('folder', 'oslo', { title: 'Oslo 2' });
    await remove('dashboard', 'top');
    await arrived('site');
    expect((await thereAt(world(), '/api/folders/oslo')).body).to.include({ title: 'Oslo 2' });
    expect((await thereAt(world(), '/api/folders/oslo')).body).not.to.have.property('parentUid');
    expect(await dashboardThere(world(), 'heat')).to.deep.include({
      meta: (await dashboardThere(world(), 'heat'))?.meta,
    });
    expect((await dashboardThere(world(), 'heat'))?.dashboard.title).to.equal('Heat 2');
    expect((await dashboardThere(world(), 'heat'))?.meta.folderUid).to.equal('north');
    expect(await dashboardThere(world(), 'top')).to.equal(undefined);
    await remove('folder', 'north');
    await arrived('site');
    expect((await thereAt(world(), '/api/folders/north')).status).to.equal(404);
  });

  it('closes there what is private here, before anything comes into it', async () => {
    const { put, arrived, proxy } = world();
    proxy.requests.length = 0;
    await put('folder', 'secret', { title: 'Secret plans' }, PRIVATE);
    await put('dashboard', 'plan', { title: 'Plan' }, inFolder('secret'));
    await arrived('site');
    expect(await rolesThere(world(), 'secret')).to.deep.equal([]);
    const writes = proxy.requests.filter(({ method }) => method !== 'GET').map(({ route, body }) => ({ route, body }));
    expect(writes.map(({ route }) => route)).to.deep.equal([
      'POST /api/folders',
      'POST /api/folders/:uid/permissions',
      'PUT /api/folders/:uid',
      'POST /api/dashboards/db',
    ]);
    expect(JSON.stringify(writes[0]?.body)).not.to.include('Secret plans');
  });

  it('sends library elements before the dashboards that show them, and changes and deletes them', async () => {
    const { put, remove, arrived, proxy } = world();
    proxy.requests.length = 0;
    await put('element', 'clock', { name: 'Clock', kind: 1, model: { type: 'text' } }, inFolder('secret'));
    await put('dashboard', 'plan', { title: 'Plan', panels: [{ libraryPanel: { uid: 'clock' } }] }, inFolder('secret'));
    await arrived('site');
    const element = async () => (await thereAt(world(), '/api/library-elements/clock')).body as { result?: object };
    expect((await element()).result).to.include({ name: 'Clock', folderUid: 'secret' });
    await put('element', 'clock', { name: 'Clock 2', kind: 1, model: { type: 'text' } }, inFolder('secret'));
    await arrived('site');
    expect((await element()).result).to.include({ name: 'Clock 2' });
    await remove('dashboard', 'plan');
    await remove('element', 'clock');
    await arrived('site');
    expect((await element()).result).to.equal(undefined);
  });

  it('sends what a team and a user have, if they are there by name and login', async () => {
    const { put, arrived, there, here } = world();
    const team = (name: string) => ({
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'Team',
      metadata: { name },
      spec: { title: 'Ops' },
    });
    const teams = '/apis/iam.svc.app/v1beta1/namespaces/default/teams';
    expect((await there.call('POST', teams, { body: team('ops-there') })).status).to.equal(201);
    expect((await here.call('POST', teams, { body: team('ops-here') })).status).to.equal(201);
    const absent = { ...team('absent'), spec: { title: 'Absent' } };
    expect((await here.call('POST', teams, { body: absent })).status).to.equal(201);
    for (const name of ['ops-here', 'absent']) {
      const spec = {
        subject: { kind: 'Team', name },
        roleRef: { kind: 'BuiltIn', name: 'Edit' },
        scope: { folder: 'secret' },
      };
      await put('binding', `secret.team.${name}`, spec);
    }
    await arrived('site');
    const { body } = await thereAt(world(), '/api/folders/secret/permissions');
    const items = body as readonly { readonly team?: string; readonly permission: number }[];
    expect(items.map(({ team, permission }) => `${team} ${permission}`)).to.deep.equal(['Ops 2']);
  });
});
