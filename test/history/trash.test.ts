import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Client } from '../../registry/client/client.js';
import type { Body } from '../harness/body.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { ADMIN } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { dashboardObject, FOLDER, removed, worldOf } from './past.js';

eachStore('a deleted folder', (server) => {
  const world = worldOf(server);
  const { folders, dashboards, bindings, restore, versions } = world;

  /** A folder with a subfolder, two dashboards and a permission. */
  const tree = async (): Promise<string> => {
    const name = freshName('f');
    await world.folder(name);
    await world.folder(`${name}-sub`, name);
    await world.dashboard(`${name}-d1`, name);
    await world.dashboard(`${name}-d2`, `${name}-sub`);
    await world.binding(`${name}-b`, name);
    return name;
  };
  const parts = (name: string) =>
    [
      [folders, name],
      [folders, `${name}-sub`],
      [dashboards, `${name}-d1`],
      [dashboards, `${name}-d2`],
      [bindings, `${name}-b`],
    ] as const;
  const read = async (name: string): Promise<readonly Body[]> =>
    Promise.all(parts(name).map(async ([resource, one]) => bodyOf(await resource.get(one), 200)));
  const missing = async (name: string): Promise<void> => {
    for (const [resource, one] of parts(name)) expect((await resource.get(one)).status, one).to.equal(404);
  };

  it('comes back as the tree that went, with the same names and integer ids and new uids', async () => {
    const name = await tree();
    const before = await read(name);
    await removed(folders, name);
    await missing(name);
    const answer = bodyOf(await restore(folders, name), 201);
    const { restored, ...status } = answer.status as unknown as { restored: readonly { name: string }[] };
    expect({ ...answer, status }).to.deep.include({
      spec: { version: 1 },
      status: { version: 2, objects: 5, leftOut: [] },
    });
    const names = restored.map((one) => one.name);
    expect(names).to.have.members([name, `${name}-b`, `${name}-d1`, `${name}-sub`, `${name}-d2`]);
    for (const [index, { metadata, spec }] of (await read(name)).entries()) {
      const old = before[index] as Body;
      expect(spec).to.deep.equal(old.spec);
      expect(metadata.labels).to.deep.equal(old.metadata.labels);
      expect(metadata.creationTimestamp).to.equal(old.metadata.creationTimestamp);
      expect(metadata.annotations?.[FOLDER]).to.equal(old.metadata.annotations?.[FOLDER]);
      expect(metadata.annotations?.['svc.app/createdBy']).to.equal(old.metadata.annotations?.['svc.app/createdBy']);
      expect(metadata.uid).not.to.equal(old.metadata.uid);
      expect(metadata.generation).to.equal(2);
      expect(metadata).not.to.have.property('deletionTimestamp');
    }
  });

  it('comes back in one commit, as ADDED events', async () => {
    const name = await tree();
    await removed(folders, name);
    const [folderFrames, dashboardFrames] = [await folders.watch(), await dashboards.watch()];
    const resourceVersion = Number(bodyOf(await folders.list({ query: { limit: 1 } }), 200).metadata.resourceVersion);
    bodyOf(await restore(folders, name), 201);
    expect(await server().end()).to.equal(resourceVersion + 5);
    const isSub = ({ object }: { object: Body }) => object.metadata.name === `${name}-sub`;
    const seen = (await folderFrames.until((frame) => isSub(frame as never))).slice(-2) as unknown as {
      type: string;
      object: Body;
    }[];
    expect(seen.map(({ type, object }) => [type, object.metadata.name])).to.deep.equal([
      ['ADDED', name],
      ['ADDED', `${name}-sub`],
    ]);
    await folderFrames.close();
    await dashboardFrames.close();
  });

  it('keeps the history from before its deletion', async () => {
    const name = await tree();
    bodyOf(await folders.merge(name, { spec: { title: 'Two' } }), 200);
    await removed(folders, name);
    bodyOf(await restore(folders, name), 201);
    const all = await versions(folders, name);
    expect(all.map(({ version }) => version)).to.deep.equal([3, 2, 1]);
    expect(all.map(({ message }) => message)).to.deep.equal(['Restored from version 2', undefined, undefined]);
    expect(all[1]?.deleted?.by).to.equal('user:uid-admin');
    bodyOf(await restore(folders, name, 1), 201);
    expect(bodyOf(await folders.get(name), 200).spec).to.deep.equal({ title: name });
    await removed(folders, name);
    bodyOf(await restore(folders, name), 201);
    expect((await versions(folders, name)).map(({ version }) => version)).to.deep.equal([5, 4, 3, 2, 1]);
  });

  it('comes back in part: an object of the deletion with what is below it', async () => {
    const name = await tree();
    await removed(folders, name);
    expectStatus(await restore(dashboards, `${name}-d2`), 409, 'Conflict', `there is no "${name}-sub"`);
    await world.folder(name);
    bodyOf(await restore(folders, `${name}-sub`), 201);
    expect((await dashboards.get(`${name}-d2`)).status).to.equal(200);
    expect((await dashboards.get(`${name}-d1`)).status).to.equal(404);
    bodyOf(await restore(dashboards, `${name}-d1`), 201);
  });

  const refused = async (name: string, message: string): Promise<void> => {
    expectStatus(await changingNothing(server(), () => restore(folders, name)), 409, 'Conflict', message);
  };

  it('does not come back if the name of an object in it is taken', async () => {
    const name = await tree();
    await removed(folders, name);
    await world.dashboard(`${name}-d2`);
    await refused(name, `dashboards.dashboard.svc.app "${name}-d2" already exists`);
    expect((await folders.get(name)).status).to.equal(404);
  });

  it('does not come back if the title of an object in it is taken', async () => {
    const [name, parent] = [freshName('f'), freshName('f')];
    await world.folder(parent);
    await world.dashboard(name, parent, { title: 'Taken' });
    await removed(dashboards, name);
    await world.dashboard(freshName('d'), parent, { title: 'Taken' });
    const attempt = () => restore(dashboards, name);
    expectStatus(await changingNothing(server(), attempt), 409, 'Conflict', 'same name');
  });

  const restoreTo = (resource: typeof folders, name: string, folder: string, more: object = {}) =>
    resource.subresource('restore').post(name, { spec: { folder, ...more } });

  it('comes back into another folder, or to the root, if its own is gone', async () => {
    const [name, parent, other] = [await tree(), freshName('f'), freshName('f')];
    await world.folder(parent);
    await world.folder(other);
    bodyOf(await folders.merge(name, { metadata: { annotations: { [FOLDER]: parent } } }), 200);
    await removed(folders, name);
    await removed(folders, parent);
    await refused(name, `there is no "${parent}"`);
    const answer = bodyOf(await restoreTo(folders, name, other), 201);
    expect(answer.status).to.deep.include({ objects: 5, leftOut: [] });
    expect(bodyOf(await folders.get(name), 200).metadata.annotations?.[FOLDER]).to.equal(other);
    expect(bodyOf(await dashboards.get(`${name}-d2`), 200).metadata.annotations?.[FOLDER]).to.equal(`${name}-sub`);
    await removed(dashboards, `${name}-d2`);
    bodyOf(await restoreTo(dashboards, `${name}-d2`, ''), 201);
    expect(bodyOf(await dashboards.get(`${name}-d2`), 200).metadata.annotations).to.not.have.property(FOLDER);
  });

  it('comes back without what has come back into another folder before', async () => {
    const [name, other] = [await tree(), freshName('f')];
    await world.folder(other);
    await removed(folders, name);
    bodyOf(await restoreTo(dashboards, `${name}-d2`, other), 201);
    expect(bodyOf(await restore(folders, name), 201).status).to.deep.include({ objects: 4, leftOut: [] });
    expect(bodyOf(await dashboards.get(`${name}-d2`), 200).metadata.annotations?.[FOLDER]).to.equal(other);
  });

  it('does not come back into a folder that is not there, and an object that exists is not moved', async () => {
    const name = await tree();
    await removed(dashboards, `${name}-d1`);
    const missing = () => restoreTo(dashboards, `${name}-d1`, 'never-there');
    expectStatus(await changingNothing(server(), missing), 409, 'Conflict', 'there is no "never-there"');
    const existing = () => restoreTo(folders, name, '', { version: 1 });
    expectStatus(await changingNothing(server(), existing), 422, 'Invalid', 'the object exists, so move it');
  });

  it('stays private in another folder, or comes back public only by formerPlace', async () => {
    const [name, parent, open, hidden] = ['f', 'f', 'f', 'f'].map(freshName) as [string, string, string, string];
    const isPrivate = { metadata: { name: parent, annotations: { 'svc.app/basic-roles': 'none' } } };
    await world.folder(parent, undefined, isPrivate);
    await world.folder(hidden, undefined, { metadata: { ...isPrivate.metadata, name: hidden } });
    await world.folder(open);
    await world.dashboard(name, parent);
    await removed(dashboards, name);
    await removed(folders, parent);
    const toOpen = () => restoreTo(dashboards, name, open);
    expectStatus(await changingNothing(server(), toOpen), 409, 'Conflict', 'would not be private now');
    bodyOf(await restoreTo(dashboards, name, hidden), 201);
    await removed(dashboards, name);
    bodyOf(await restoreTo(dashboards, name, open, { formerPlace: true }), 201);
  });

  it('does not come back without the folder that it was in, nor into one that is being deleted', async () => {
    const [parent, name] = [freshName('f'), freshName('f')];
    await world.folder(parent);
    await world.folder(name, parent);
    await removed(folders, name);
    const finalizers = ['example.com/hold'];
    bodyOf(await folders.merge(parent, { metadata: { finalizers } }), 200);
    await removed(folders, parent);
    await refused(name, 'is being deleted');
    bodyOf(await folders.merge(parent, { metadata: { finalizers: null } }), 200);
    await refused(name, `there is no "${parent}"`);
    const dry = await restore(folders, name, undefined, { query: { dryRun: 'All' } });
    expectStatus(dry, 409, 'Conflict', `there is no "${parent}"`);
    bodyOf(await restore(folders, parent), 201);
    bodyOf(await restore(folders, name), 201);
  });

  it('comes back without the permissions of those who are gone, and says so', async () => {
    const [name, team] = [freshName('f'), freshName('t')];
    const iam = '/apis/iam.svc.app/v1beta1/namespaces/default';
    await world.folder(name);
    const apiVersion = 'iam.svc.app/v1beta1';
    const made = [
      await server().call('POST', `${iam}/teams`, {
        body: { apiVersion, kind: 'Team', metadata: { name: team }, spec: { title: team } },
      }),
      await bindings.create({
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: `${name}-b` },
        spec: {
          subject: { kind: 'Team', name: team },
          roleRef: { kind: 'BuiltIn', name: 'View' },
          scope: { folder: name },
        },
      }),
    ];
    for (const answer of made) bodyOf(answer, 201);
    await removed(folders, name);
    bodyOf(await server().call('DELETE', `${iam}/teams/${team}`), 200);
    const answer = await restore(folders, name);
    const { status } = bodyOf(answer, 201) as unknown as { status: { leftOut: readonly string[]; objects: number } };
    expect(status.objects).to.equal(1);
    expect(status.leftOut).to.have.length(1);
    expect(status.leftOut[0]).to.include(`rolebindings.iam.svc.app "${name}-b": there is no "${team}"`);
    expect(answer.headers['warning']?.[0]).to.include('not restored');
    expect((await bindings.get(`${name}-b`)).status).to.equal(404);
  });

  it('is refused with a version other than its last one, and writes nothing in a dry run', async () => {
    const name = await tree();
    await removed(folders, name);
    expectStatus(await restore(folders, name, 7), 422, 'Invalid', 'only its last version (1)');
    bodyOf(await changingNothing(server(), () => restore(folders, name, 1, { query: { dryRun: 'All' } })), 201);
    bodyOf(await restore(folders, name, 1), 201);
  });

  it('comes back once if several callers try', async () => {
    const name = await tree();
    await removed(folders, name);
    const answers = await Promise.all([1, 2, 3].map(() => restore(folders, name)));
    const codes = answers.map(({ status }) => status).sort();
    expect(codes[0]).to.equal(201);
    for (const code of codes.slice(1)) expect(code).to.be.oneOf([400, 409]);
    await read(name);
  });

  it('comes back with a thousand objects', async () => {
    const name = freshName('f');
    await world.folder(name);
    const { registry } = server().api;
    const kind = registry.compiled.get('dashboard/Dashboard');
    await new Client(registry, { user: ADMIN }).transact((transaction) => {
      for (let i = 0; i < 1000; i++)
        transaction.create(kind, 'default', dashboardObject(`${name}-${i}`, name) as KubeObject);
    });
    await removed(folders, name);
    const { status } = bodyOf(await restore(folders, name), 201) as unknown as { status: { objects: number } };
    expect(status.objects).to.equal(1001);
    const { metadata } = bodyOf(await dashboards.get(`${name}-999`), 200);
    expect(metadata).to.include({ generation: 2 });
  });

  it('survives a restart, also with a compacted log', async () => {
    const name = await tree();
    await removed(folders, name);
    await server().restart({ compact: true });
    bodyOf(await restore(folders, name), 201);
    await read(name);
  });
});
