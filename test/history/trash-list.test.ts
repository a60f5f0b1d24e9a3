import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { removed, TRASH, worldOf } from './past.js';

eachStore('the trash', (server) => {
  const world = worldOf(server);
  const { folders, dashboards, restore } = world;
  const trashed = async (query: Readonly<Record<string, string | number>> = {}): Promise<readonly string[]> => {
    const { items } = bodyOf(await dashboards.list({ query: { ...TRASH, ...query } }), 200);
    return items.map(({ metadata }) => metadata.name);
  };
  const gone = async (folder?: string): Promise<string> => {
    const name = freshName('d');
    await world.dashboard(name, folder);
    await removed(dashboards, name);
    return name;
  };

  // Promise: contract 3.4
  it('lists what can come back, the last deleted first, as it was, with time and author of the deletion', async () => {
    const [first, second] = [await gone(), await gone()];
    server().clock.advance(2000);
    const third = await gone();
    expect((await trashed()).slice(0, 1)).to.deep.equal([third]);
    expect((await trashed()).slice(1, 3)).to.have.members([first, second]);
    const { items } = bodyOf(
      await dashboards.list({ query: { ...TRASH, fieldSelector: `metadata.name=${third}` } }),
      200,
    );
    const [item, ...others] = items;
    expect(others).to.deep.equal([]);
    expect(item?.spec).to.deep.equal({ title: third });
    expect(item?.metadata).to.have.property('deletionTimestamp').that.matches(/Z$/);
    expect(item?.metadata.annotations).to.include({ 'svc.app/updatedBy': 'user:uid-admin' });
    expect(item?.metadata.labels).not.to.have.property('svc.app/get-trash');
  });

  // Promise: contract 3.4
  it('tells what was deleted together, and until when it is kept, in annotations that no client can set', async () => {
    const [parent, alone] = [freshName('f'), await gone()];
    await world.folder(parent);
    const inside = freshName('d');
    await world.dashboard(inside, parent);
    await removed(folders, parent);
    const found = async (resource: typeof folders, name: string) => {
      const query = { ...TRASH, fieldSelector: `metadata.name=${name}` };
      return bodyOf(await resource.list({ query }), 200).items[0]?.metadata.annotations ?? {};
    };
    const [above, below, other] = [
      await found(folders, parent),
      await found(dashboards, inside),
      await found(dashboards, alone),
    ];
    expect(above['svc.app/deletionID']).to.be.a('string').and.to.equal(below['svc.app/deletionID']);
    expect(above['svc.app/deletionID']).to.not.equal(other['svc.app/deletionID']);
    const [until = '', deleted = ''] = [above['svc.app/keptUntil'], above['svc.app/updatedTimestamp']];
    expect(Date.parse(until) - Date.parse(deleted)).to.equal(30 * 86_400_000);
    const annotations = { 'svc.app/deletionID': 'x', 'svc.app/keptUntil': until };
    const { metadata } = await world.folder(freshName('f'), undefined, {
      metadata: { name: freshName('f'), annotations },
    });
    expect(metadata.annotations).to.not.have.any.keys(...Object.keys(annotations));
  });

  it('tells which deletions belong together, if the caller has said so', async () => {
    const names = [freshName('d'), freshName('d')];
    const ofList = async (): Promise<readonly (string | undefined)[]> => {
      const { items } = bodyOf(await dashboards.list({ query: TRASH }), 200);
      const own = items.filter(({ metadata: { name } }) => names.includes(name));
      return own.map(({ metadata: { annotations } }) => annotations?.['svc.app/operationID']);
    };
    for (const name of names) await world.dashboard(name);
    expectStatus(await dashboards.remove(names[0] ?? '', { query: { operation: 'a b' } }), 400, 'BadRequest');
    for (const name of names) await removed(dashboards, name, { query: { operation: 'tidy-1' } });
    expect(await ofList()).to.deep.equal(['tidy-1', 'tidy-1']);
    for (const name of names) bodyOf(await restore(dashboards, name), 201);
    const { metadata } = bodyOf(await dashboards.get(names[0] ?? ''), 200);
    expect(metadata.annotations).not.to.have.property('svc.app/operationID');
  });

  it('is no part of other lists, and what came back is no part of it', async () => {
    const name = await gone();
    const { items } = bodyOf(await dashboards.list({ query: { labelSelector: 'svc.app/get-trash!=true' } }), 200);
    expect(items.map(({ metadata }) => metadata.name)).not.to.include(name);
    expect(bodyOf(await dashboards.list({ query: { labelSelector: 'x=y' } }), 200).items).to.deep.equal([]);
    bodyOf(await restore(dashboards, name), 201);
    expect(await trashed()).not.to.include(name);
  });

  it('is read in pages', async () => {
    for (let i = 0; i < 3; i++) await gone();
    const all = await trashed();
    const seen: string[] = [];
    for (let token = ''; ; ) {
      const query = { ...TRASH, limit: 2, ...(token !== '' && { continue: token }) };
      const { items, metadata } = bodyOf(await dashboards.list({ query }), 200);
      seen.push(...items.map((item) => item.metadata.name));
      token = metadata.continue ?? '';
      if (token === '') break;
    }
    expect(seen).to.deep.equal(all);
  });

  // Promise: contract 3.4
  it('is shown as a table, selected by other labels, and neither watched nor deleted from', async () => {
    const name = await gone();
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = await dashboards.list({ query: TRASH, headers: { accept } });
    expect(table.text).to.include(name).and.include('"kind":"Table"');
    const labelSelector = `${TRASH.labelSelector},a=b`;
    expect(await trashed({ labelSelector })).to.deep.equal([]);
    expectStatus(await dashboards.list({ query: { ...TRASH, watch: true } }), 400, 'BadRequest', 'cannot be watched');
    await changingNothing(server(), () => dashboards.removeAll({ query: TRASH }));
    expect(await trashed()).to.include(name);
    const everywhere = await server().call('GET', '/apis/dashboard.svc.app/v1beta1/dashboards', { query: TRASH });
    expectStatus(everywhere, 400, 'BadRequest', 'one namespace');
  });

  it('has what was deleted in a commit that removed the last finalizer', async () => {
    const [parent, name] = [freshName('f'), freshName('d')];
    await world.folder(parent);
    await world.dashboard(name, parent);
    bodyOf(await dashboards.merge(name, { metadata: { finalizers: ['example.com/hold'] } }), 200);
    await removed(folders, parent);
    bodyOf(await dashboards.merge(name, { metadata: { finalizers: null } }), 200);
    expect((await folders.get(parent)).status).to.equal(404);
    bodyOf(await restore(folders, parent), 201);
    const { metadata } = bodyOf(await dashboards.get(name), 200);
    expect(metadata).not.to.have.any.keys('deletionTimestamp', 'finalizers');
  });
});
