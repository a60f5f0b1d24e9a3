import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { bodyOf, expectStatus, freshName, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { legacyOf } from '../legacy-api/legacy.js';
import { FOLDER, removed, worldOf } from './past.js';

const RULES = { apiVersion: 'rules.alerting.svc.app/v1beta1', resource: 'alertrules', scope: 'Namespaced' } as const;
const ELEMENTS = { apiVersion: 'dashboard.svc.app/v1beta1', resource: 'libraryelements', scope: 'Namespaced' } as const;

oneStore('a deleted folder with everything that a folder can have', (server) => {
  const world = worldOf(server);
  const { folders, dashboards, restore, versions } = world;
  const [rules, elements] = [resourceOf(server, RULES), resourceOf(server, ELEMENTS)];
  const { ask } = legacyOf(server);
  const force = { query: { forceDeleteRules: true } };

  const rule = async (name: string, folder: string): Promise<Body> => {
    const metadata = { name, annotations: { [FOLDER]: folder } };
    const data = [{ refId: 'A', datasourceUid: 'metrics', model: {} }];
    const spec = { title: name, ruleGroup: 'group', condition: 'A', data };
    return bodyOf(await rules.create({ apiVersion: RULES.apiVersion, kind: 'AlertRule', metadata, spec }), 201);
  };
  const element = async (name: string, folder: string): Promise<Body> => {
    const metadata = { name, annotations: { [FOLDER]: folder } };
    const spec = { name, kind: 1, model: { type: 'text' } };
    return bodyOf(
      await elements.create({ apiVersion: ELEMENTS.apiVersion, kind: 'LibraryElement', metadata, spec }),
      201,
    );
  };

  it('comes back with its rules, and with its library elements and their connections', async () => {
    const name = freshName('f');
    await world.folder(name);
    const [oldRule, oldElement] = [await rule(`${name}-r`, name), await element(`${name}-e`, name)];
    const panels = [{ id: 1, libraryPanel: { uid: `${name}-e`, name } }];
    await world.dashboard(`${name}-d`, name, { panels });
    const connections = async (): Promise<number> =>
      (await ask(200, 'GET', `/library-elements/${name}-e/connections`)).result.length;
    expect(await connections()).to.equal(1);
    bodyOf(await folders.remove(name, force), 200);
    expect((await rules.get(`${name}-r`)).status).to.equal(404);
    const { status } = bodyOf(await restore(folders, name), 201) as unknown as { status: { objects: number } };
    expect(status.objects).to.equal(4);
    for (const [resource, old] of [
      [rules, oldRule],
      [elements, oldElement],
    ] as const) {
      const { metadata, spec } = bodyOf(await resource.get(old.metadata.name), 200);
      expect(spec).to.deep.equal(old.spec);
      expect(metadata.labels).to.deep.equal(old.metadata.labels);
    }
    expect(await connections()).to.equal(1);
  });

  it('comes back for the legacy API as it was', async () => {
    const folder = await ask(200, 'POST', '/folders', { title: freshName('Folder') });
    const dashboard = { title: freshName('Dashboard') };
    const saved = await ask(200, 'POST', '/dashboards/db', { dashboard, folderUid: folder.uid });
    await ask(200, 'POST', `/folders/${folder.uid}/permissions`, { items: [{ role: 'Viewer', permission: 1 }] });
    await ask(200, 'POST', `/dashboards/uid/${saved.uid}/permissions`, { items: [{ role: 'Editor', permission: 1 }] });
    const paths = [`/folders/${folder.uid}/permissions`, `/dashboards/uid/${saved.uid}/permissions`];
    const read = () => Promise.all(paths.map((path) => ask(200, 'GET', path)));
    const permissions = await read();
    await ask(200, 'DELETE', `/folders/${folder.uid}`);
    await ask(404, 'GET', `/dashboards/uid/${saved.uid}`);
    bodyOf(await restore(folders, folder.uid), 201);
    const { id, title, version } = await ask(200, 'GET', `/folders/${folder.uid}`);
    expect({ id, title, version }).to.deep.equal({ id: folder.id, title: folder.title, version: 2 });
    const { meta, dashboard: content } = await ask(200, 'GET', `/dashboards/uid/${saved.uid}`);
    expect(meta).to.include({ folderUid: folder.uid, version: 2 });
    expect(content).to.include({ id: saved.id, title: dashboard.title });
    expect(await read()).to.deep.equal(permissions);
  });

  it('has rules and elements with few versions of their own', async () => {
    const name = freshName('f');
    await world.folder(name);
    await element(name, name);
    for (let i = 0; i < 2; i++) bodyOf(await elements.merge(name, { spec: { description: `${i}` } }), 200);
    expect((await versions(elements, name)).map(({ version }) => version)).to.deep.equal([3, 2, 1]);
    bodyOf(await restore(elements, name, 1), 201);
    await removed(elements, name);
    bodyOf(await restore(elements, name), 201);
    expect(bodyOf(await elements.get(name), 200).metadata.generation).to.equal(5);
  });

  it('does not come back if the title of a rule is taken', async () => {
    const name = freshName('f');
    await world.folder(name);
    await rule(name, name);
    bodyOf(await rules.remove(name), 200);
    const other = { ...(await rule(`${name}-x`, name)).metadata };
    bodyOf(await rules.merge(other.name, { spec: { title: name } }), 200);
    expectStatus(await restore(rules, name), 409, 'Conflict', 'cannot come back');
    expect((await dashboards.get(name)).status).to.equal(404);
  });
});
