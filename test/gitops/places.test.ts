import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { bodyOf, changingNothing, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { gitOps } from './harness.js';

const NS = 'namespaces/default';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const [PARENT, ROLES] = ['svc.app/folder', 'svc.app/basic-roles'] as const;
const PRIVATE = { [ROLES]: 'none' };

const FOLDER = {
  apiVersion: 'folder.svc.app/v1beta1',
  kind: 'Folder',
  path: `/apis/folder.svc.app/v1beta1/${NS}/folders`,
};
const DASHBOARD = {
  apiVersion: 'dashboard.svc.app/v1beta1',
  kind: 'Dashboard',
  path: `/apis/dashboard.svc.app/v1beta1/${NS}/dashboards`,
};
const ELEMENT = {
  apiVersion: 'dashboard.svc.app/v1beta1',
  kind: 'LibraryElement',
  path: `/apis/dashboard.svc.app/v1beta1/${NS}/libraryelements`,
};
const SETS = {
  apiVersion: 'apply.svc.app/v1beta1',
  kind: 'ApplySet',
  path: `/apis/apply.svc.app/v1beta1/${NS}/applysets`,
};

eachStore('the place of a member of a set', (server) => {
  const git = gitOps(server);
  let set = '';
  let other = '';
  const sync: typeof git.sync = (options) => git.sync({ applySet: set, ...options });
  const write = (...manifests: readonly object[]): Promise<void> =>
    writeFile(join(git.folder, 'a.yaml'), manifests.map((one) => JSON.stringify(one)).join('\n---\n'));
  const manifest = ({ apiVersion, kind }: typeof FOLDER, name: string, annotations: object = {}) => ({
    apiVersion,
    kind,
    metadata: { name, annotations },
    spec: kind === 'LibraryElement' ? { name, kind: 1, model: {} } : { title: name },
  });
  const annotate = async ({ path }: typeof FOLDER, name: string, annotations: object): Promise<void> => {
    const body = { metadata: { annotations } };
    bodyOf(await server().call('PATCH', `${path}/${name}`, { body, headers: MERGE }), 200);
  };
  const annotationsOf = async ({ path }: typeof FOLDER, name: string): Promise<Readonly<Record<string, string>>> =>
    bodyOf(await server().call('GET', `${path}/${name}`), 200).metadata.annotations ?? {};
  const conditions = async (): Promise<string> => {
    const { status } = bodyOf(await server().call('GET', `${SETS.path}/${set}`), 200) as unknown as {
      status: { conditions: { type: string; status: string; message: string }[] };
    };
    return status.conditions.map(({ type, status: is, message }) => `${type}=${is} ${message}`).join('\n');
  };
  /** The member differs in the annotation, only --force repairs it, and then all is as it was applied. */
  const expectRepair = async (annotation: string): Promise<void> => {
    expect(await conditions())
      .to.contain('Synced=False')
      .and.contain(`metadata.annotations[${annotation}]`);
    expect((await sync({ check: true })).code).to.equal(2);
    const refused = await changingNothing(server(), () => sync().then(String, String));
    expect(refused).to.contain(annotation).and.contain('--force takes over');
    expect((await sync({ force: true })).out).to.contain(annotation);
    expect(await conditions()).to.contain('Synced=True');
    const again = await changingNothing(server(), () => sync({ check: true }));
    expect([again.code, again.out]).to.satisfy(
      ([code, out]: [number, string]) => code === 0 && out.includes('conflicts 0'),
    );
  };

  beforeEach(async () => {
    [set, other] = [freshName(), freshName()];
    bodyOf(await server().call('POST', FOLDER.path, { body: manifest(FOLDER, other) }), 201);
  });

  for (const kind of [FOLDER, DASHBOARD, ELEMENT])
    it(`is the root if the manifest names none: a ${kind.kind} that is moved by hand differs, and goes back`, async () => {
      const name = freshName();
      await write(manifest(kind, name, kind === ELEMENT ? {} : PRIVATE));
      expect((await sync()).code).to.equal(0);
      await annotate(kind, name, { [PARENT]: other });
      await expectRepair(PARENT);
      expect(await annotationsOf(kind, name)).not.to.have.property(PARENT);
    });

  it('is the root after a move by the legacy API, too', async () => {
    const name = freshName();
    await write(manifest(FOLDER, name));
    await sync();
    const body = { parentUid: other };
    expect((await server().call('POST', `/api/folders/${name}/move`, { body })).status).to.equal(200);
    await expectRepair(PARENT);
  });

  it('is private or public as the manifest says, also if it says nothing', async () => {
    const [open, shut] = [freshName(), freshName()];
    const placed = freshName();
    await write(manifest(FOLDER, placed, { [PARENT]: other }));
    await sync();
    await write(manifest(FOLDER, placed));
    expect((await sync()).out, 'a place that only the set has given').to.contain(PARENT);
    await write(
      manifest(FOLDER, placed),
      manifest(FOLDER, open, { [PARENT]: other }),
      manifest(FOLDER, shut, { [PARENT]: other, ...PRIVATE }),
    );
    await sync();
    await annotate(FOLDER, open, PRIVATE);
    await expectRepair(ROLES);
    expect(await annotationsOf(FOLDER, open)).not.to.have.property(ROLES);
    await annotate(FOLDER, shut, { [ROLES]: null });
    expect(await conditions())
      .to.contain('Synced=False')
      .and.contain(ROLES);
    expect((await sync({ check: true })).code).to.equal(2);
    expect((await sync()).out).to.contain(ROLES);
    expect(await annotationsOf(FOLDER, shut)).to.include(PRIVATE);
    expect(await conditions()).to.contain('Synced=True');
  });

  it('is not taken silently from an object that becomes a member', async () => {
    const name = freshName();
    bodyOf(await server().call('POST', FOLDER.path, { body: manifest(FOLDER, name, { [PARENT]: other }) }), 201);
    await write(manifest(FOLDER, name));
    expect(await changingNothing(server(), () => sync().then(String, String))).to.contain(PARENT);
    await write(manifest(FOLDER, name, { [PARENT]: other }));
    expect((await sync({ force: true })).code).to.equal(0);
    expect(await annotationsOf(FOLDER, name)).to.include({ [PARENT]: other });
    await write(manifest(FOLDER, name));
    expect((await sync({ force: true })).out).to.contain(PARENT);
    expect(await annotationsOf(FOLDER, name)).not.to.have.property(PARENT);
  });

  it('is left alone by an apply of one object, which owns only what it names', async () => {
    const name = freshName();
    bodyOf(
      await server().call('POST', FOLDER.path, { body: manifest(FOLDER, name, { [PARENT]: other, ...PRIVATE }) }),
      201,
    );
    const { metadata: _, ...bare } = manifest(FOLDER, name);
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const query = { fieldManager: 'one', force: 'true' };
    const body = { ...bare, metadata: { name } };
    bodyOf(await server().call('PATCH', `${FOLDER.path}/${name}`, { body, headers, query }), 200);
    expect(await annotationsOf(FOLDER, name)).to.include({ [PARENT]: other, ...PRIVATE });
  });
});
