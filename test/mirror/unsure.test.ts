import { expect } from 'chai';
import { dashboard, folder, inOneCommit } from './manifests.js';
import { memberThere, type Reader, readerThere, visible } from './reader.js';
import { inFolder, oneStore, PRIVATE, thereAt, type World } from './world.js';

/** What a list there gives by itself: `Viewer 1`. */
async function listOf(world: World, place: string): Promise<readonly string[]> {
  const { body } = await thereAt(world, `/api/${place}/permissions`);
  const items = body as readonly { role?: string; team?: string; permission: number; inherited?: boolean }[];
  const own = items.filter(({ inherited }) => inherited !== true);
  return own.map(({ role, team, permission }) => `${role || team} ${permission}`).sort();
}

/** Waits until the other server has been asked something. */
async function asked({ proxy }: World, route: string): Promise<void> {
  for (const end = Date.now() + 30_000; !proxy.requests.some((one) => one.route === route); ) {
    if (Date.now() > end) throw new Error(`nobody asks ${route}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

oneStore('a mirror that is not sure what is there', (world) => {
  let reader: Reader;
  before(async () => {
    reader = readerThere(world(), await memberThere(world(), 'vera', 'Viewer'));
    world().atEnd.push(() => reader.stop());
    await world().put('folder', 'open', { title: 'Open' });
    await world().mirror('site');
    await world().arrived('site');
  });
  beforeEach(() => {
    world().proxy.requests.length = 0;
    world().proxy.fault = () => undefined;
    reader.seen();
  });
  afterEach(() => {
    expect(world().proxy.wrong).to.deep.equal([]);
    expect([...reader.seen()].join('\n')).not.to.include('HIDDEN');
  });

  it('removes a private dashboard before the folder opens that it lies in', async () => {
    await inOneCommit(world(), 'a', [
      folder('f1', 'HIDDEN f1', PRIVATE),
      folder('f1-below', 'HIDDEN below', inFolder('f1')),
      dashboard('d1', 'HIDDEN d1', { ...inFolder('f1-below'), ...PRIVATE }),
    ]);
    await world().arrived('site');
    expect((await thereAt(world(), '/api/dashboards/uid/d1')).status).to.equal(200);
    await inOneCommit(world(), 'a', [
      folder('f1', 'F1'),
      folder('f1-below', 'Below', inFolder('f1')),
      dashboard('d1', 'HIDDEN d1', { ...inFolder('f1-below'), ...PRIVATE }),
    ]);
    await world().until('site', ({ failed }) => failed === 1);
    expect((await thereAt(world(), '/api/dashboards/uid/d1')).status).to.equal(404);
    await world().remove('dashboard', 'd1');
    await world().arrived('site');
    expect(await visible(reader)).to.include('Below');
  });

  it('opens a folder only if what is closed in it stays closed there', async () => {
    const closed = folder('f9-below', 'HIDDEN below', { ...inFolder('f9'), ...PRIVATE });
    await inOneCommit(world(), 'c', [folder('f9', 'Opened f9', PRIVATE), closed]);
    await world().arrived('site');
    const body = [{ role: 'Viewer', permission: 1, inherited: true }];
    world().proxy.fault = ({ method, path }) =>
      method === 'GET' && path.includes('/mirror-probe') ? { status: 200, body } : undefined;
    await inOneCommit(world(), 'c', [folder('f9', 'Opened f9'), closed]);
    const { errors } = await world().until('site', ({ failed }) => failed > 0);
    expect(errors[0]?.reason).to.include('cannot keep closed');
    expect(await visible(reader)).not.to.match(/f9|probe/);
    world().proxy.fault = () => undefined;
    await world().here.restart();
    await world().arrived('site');
    expect(await visible(reader))
      .to.include('Opened f9')
      .and.not.to.include('probe');
  });

  it('sends nothing into a folder that cannot be closed there, also after more attempts and a restart', async () => {
    const body = [{ role: 'Viewer', permission: 1, inherited: true }];
    world().proxy.fault = ({ route, path }) =>
      route === 'GET /api/folders/:uid/permissions' && path.includes('f2') ? { status: 200, body } : undefined;
    await inOneCommit(world(), 'b', [
      folder('f2', 'HIDDEN f2', { ...inFolder('open'), ...PRIVATE }),
      dashboard('d2', 'HIDDEN d2', inFolder('f2')),
    ]);
    await world().until('site', ({ failed }) => failed > 0);
    for (let i = 0; i < 3; i++) {
      world().proxy.requests.length = 0;
      if (i < 2) await world().put('folder', 'f2', { title: `HIDDEN ${i}` }, { ...inFolder('open'), ...PRIVATE });
      else await world().here.restart();
      await asked(world(), 'GET /api/folders/:uid/permissions');
      await world().until('site', ({ failed }) => failed > 0);
    }
    await world().here.restart();
    await world().until('site', ({ failed }) => failed > 0);
    expect((await thereAt(world(), '/api/folders/f2')).body).to.include({ title: 'f2' });
    expect((await thereAt(world(), '/api/dashboards/uid/d2')).status).to.equal(404);
    world().proxy.fault = () => undefined;
    await world().put('folder', 'f2', { title: 'HIDDEN f2' }, { ...inFolder('open'), ...PRIVATE });
    await world().arrived('site');
    expect((await thereAt(world(), '/api/dashboards/uid/d2')).status).to.equal(200);
  });

  it('keeps a private dashboard at the root closed that somebody has deleted there', async () => {
    await world().put('dashboard', 'd3', { title: 'HIDDEN d3' }, PRIVATE);
    await world().arrived('site');
    await world().there.call('DELETE', '/api/dashboards/uid/d3');
    await world().put('dashboard', 'd3', { title: 'HIDDEN d3 again' }, PRIVATE);
    await world().arrived('site');
    expect(await listOf(world(), 'dashboards/uid/d3')).to.deep.equal([]);
  });

  it('sets the list of a dashboard that has come from the root, when that has failed at first', async () => {
    const spec = {
      subject: { kind: 'BasicRole', name: 'Viewer' },
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { dashboard: 'd4' },
    };
    await world().put('dashboard', 'd4', { title: 'D4' });
    await world().put('binding', 'd4.viewers', spec);
    await world().arrived('site');
    expect(await listOf(world(), 'dashboards/uid/d4')).to.deep.equal(['Editor 2', 'Viewer 2']);
    world().proxy.fault = () => ({ isKilled: true });
    await world().put('dashboard', 'd4', { title: 'D4' }, inFolder('open'));
    await world().remove('binding', 'd4.viewers');
    let count = 0;
    world().proxy.fault = ({ route }) =>
      route === 'POST /api/dashboards/uid/:uid/permissions' && count++ === 0 ? { status: 500 } : undefined;
    await world().arrived('site');
    expect(await listOf(world(), 'dashboards/uid/d4')).to.deep.equal([]);
  });

  it('takes back what it has perhaps given, because no answer came', async () => {
    await world().put('folder', 'f5', { title: 'F5' }, PRIVATE);
    await world().arrived('site');
    world().proxy.requests.length = 0;
    const route = 'POST /api/folders/:uid/permissions';
    world().proxy.fault = (request) => (request.route === route ? { isHalf: true } : undefined);
    await world().put('folder', 'f5', { title: 'F5' });
    await asked(world(), route);
    await world().until('site', ({ conditions }) => conditions[0]?.reason === 'Unreachable');
    await world().put('folder', 'f5', { title: 'F5' }, PRIVATE);
    world().proxy.fault = () => undefined;
    await world().arrived('site');
    expect(await listOf(world(), 'folders/f5')).to.deep.equal([]);
  });

  it('stores what it begins before it sends it', async () => {
    const ends: Promise<number>[] = [];
    world().proxy.fault = ({ route }) => {
      if (route === 'POST /api/folders') ends.push(world().here.end());
      return undefined;
    };
    await world().put('folder', 'f10', { title: 'F10' });
    await world().arrived('site');
    const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders/f10';
    const { metadata } = (await world().here.call('GET', path)).json() as { metadata: { resourceVersion: string } };
    expect(await ends[0]).to.be.greaterThan(Number(metadata.resourceVersion));
  });

  it('goes on with what it has created without an answer, also after a restart', async () => {
    const CREATIONS = ['POST /api/folders', 'POST /api/dashboards/db', 'POST /api/library-elements'];
    const lost = new Set<string>();
    world().proxy.fault = ({ route }) => {
      if (!CREATIONS.includes(route) || lost.has(route)) return undefined;
      lost.add(route);
      return { isHalf: true };
    };
    await world().put('folder', 'f6', { title: 'F6' });
    await asked(world(), 'POST /api/folders');
    await world().here.restart();
    await world().put('dashboard', 'd6', { title: 'D6' }, inFolder('f6'));
    await world().put('element', 'e6', { name: 'E6', kind: 1, model: { type: 'text' } }, inFolder('f6'));
    const { kept } = await world().arrived('site');
    expect([lost.size, kept]).to.deep.equal([3, 0]);
    await world().put('dashboard', 'd6', { title: 'D6 changed' }, inFolder('f6'));
    await world().arrived('site');
    const { body } = await thereAt(world(), '/api/dashboards/uid/d6');
    expect((body as { dashboard: object }).dashboard).to.include({ title: 'D6 changed' });
  });

  it('forgets nothing because a search there is incomplete', async () => {
    world().proxy.fault = ({ route }) => (route === 'GET /api/search' ? { status: 200, body: [] } : undefined);
    await world().here.restart();
    await asked(world(), 'GET /api/search');
    await world().put('dashboard', 'd6', { title: 'D6 again' }, inFolder('f6'));
    const { kept } = await world().arrived('site');
    expect(kept).to.equal(0);
    const { body } = await thereAt(world(), '/api/dashboards/uid/d6');
    expect((body as { dashboard: object }).dashboard).to.include({ title: 'D6 again' });
  });

  it('takes from a team what it has, when another team has its name now', async () => {
    const team = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Team', metadata: { name: 'ops' }, spec: { title: 'Ops' } };
    await world().there.call('POST', '/apis/iam.svc.app/v1beta1/namespaces/default/teams', { body: team });
    await world().put('team', 'ops', { title: 'Ops' });
    const spec = {
      subject: { kind: 'Team', name: 'ops' },
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { folder: 'f6' },
    };
    await world().put('binding', 'f6.ops', spec);
    await world().arrived('site');
    expect(await listOf(world(), 'folders/f6')).to.include('Ops 2');
    await world().put('team', 'ops', { title: 'Operations' });
    await world().arrived('site');
    expect(await listOf(world(), 'folders/f6')).not.to.include('Ops 2');
  });

  it('moves what somebody has changed there out of an open folder, although that is only reported', async () => {
    await world().mirror('site', { check: { interval: '1h', drift: 'Report' } });
    await world().put('folder', 'f7', { title: 'F7' }, PRIVATE);
    await world().put('dashboard', 'd7', { title: 'D7' }, inFolder('open'));
    await world().arrived('site');
    const body = { dashboard: { uid: 'd7', title: 'By hand' }, folderUid: 'open', overwrite: true };
    await world().there.call('POST', '/api/dashboards/db', { body });
    await world().put('dashboard', 'd7', { title: 'D7' }, inFolder('f7'));
    await world().arrived('site');
    const there = (await thereAt(world(), '/api/dashboards/uid/d7')).body as { meta: object };
    expect(there.meta).to.include({ folderUid: 'f7' });
  });

  it('does not delete there what others have made, and refuses a selection of nothing', async () => {
    const body = { dashboard: { uid: 'd8', title: 'Theirs' }, folderUid: 'open', overwrite: true };
    await world().there.call('POST', '/api/dashboards/db', { body });
    await world().mirror('site', { existing: 'Adopt' });
    await world().put('dashboard', 'd8', { title: 'D8' }, inFolder('open'));
    await world().arrived('site');
    await world().remove('dashboard', 'd8');
    await world().arrived('site');
    expect((await thereAt(world(), '/api/dashboards/uid/d8')).status).to.equal(200);
    for (const nothing of [{ folders: { names: [] } }, { kinds: [] }]) {
      const refused = await world()
        .mirror('site', nothing)
        .catch((error: unknown) => String(error));
      expect(refused).to.include('422').and.include('must not be empty');
    }
  });
});
