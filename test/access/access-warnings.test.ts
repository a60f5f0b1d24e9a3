import { expect } from 'chai';
import { bodyOf, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { peopleOf } from '../legacy-api/people.js';
import { dashboardsOf } from '../resource-api/dashboards.js';

const NS = 'namespaces/default';
const FOLDERS = `/apis/folder.svc.app/v1beta1/${NS}/folders`;
const BINDINGS = `/apis/iam.svc.app/v1beta1/${NS}/rolebindings`;
const SETS = `/apis/apply.svc.app/v1beta1/${NS}/applysets`;
const TEAMS = `/apis/iam.svc.app/v1beta1/${NS}/teams`;
const MERGE = { 'content-type': 'application/merge-patch+json' };
const [PARENT, ROLES] = ['svc.app/folder', 'svc.app/basic-roles'] as const;

/** The advice at the end of a warning. */
const UNWANTED = '. If they should not, delete their RoleBindings, or make it private';
const WANTED = '. If they should keep it, give them a RoleBinding';

oneStore('the answer to a change of access', (server) => {
  const folder = async (annotations: object = {}): Promise<string> => {
    const name = freshName();
    const body = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name, annotations },
      spec: { title: name },
    };
    bodyOf(await server().call('POST', FOLDERS, { body }), 201);
    return name;
  };
  const team = async (): Promise<string> => {
    const name = freshName();
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Team', metadata: { name }, spec: { title: name } };
    bodyOf(await server().call('POST', TEAMS, { body }), 201);
    return name;
  };
  const bind = async (subject: string, role: string, where: string) => {
    const spec = {
      subject: { kind: 'Team', name: subject },
      roleRef: { kind: 'BuiltIn', name: role },
      scope: { folder: where },
    };
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name: freshName() }, spec };
    const answer = await server().call('POST', BINDINGS, { body });
    return { name: bodyOf(answer, 201).metadata.name, said: answer.headers['warning'] };
  };
  const annotate = (name: string, annotations: object, query: Record<string, string> = {}) =>
    server().call('PATCH', `${FOLDERS}/${name}`, { body: { metadata: { annotations } }, headers: MERGE, query });
  const people = peopleOf(server);
  const quoted = (text: string) => `299 - "${text.replaceAll('"', '\\"')}"`;

  it('names who gains and who loses it by a move, and a dry run does so, too', async () => {
    const [ops, dev] = [await team(), await team()];
    const [secret, open] = [await folder({ [ROLES]: 'none' }), await folder()];
    await bind(ops, 'Admin', secret);
    await bind(dev, 'Edit', open);
    const moved = await folder({ [PARENT]: secret });
    const what = `the folder "${moved}" and what lies in it`;
    const gained = `these gain access to ${what}: Team/${dev} (Edit), BasicRole/Editor (Edit), BasicRole/Viewer (View)${UNWANTED}`;
    const expected = [quoted(gained), quoted(`these lose access to ${what}: Team/${ops} (Admin)${WANTED}`)];
    for (const query of [{ dryRun: 'All' }, undefined]) {
      const answer = await annotate(moved, { [PARENT]: open }, query);
      expect([answer.status, answer.headers['warning']]).to.deep.equal([200, expected]);
    }
    const back = await server().call('POST', `/api/folders/${moved}/move`, { body: { parentUid: secret } });
    expect(back.status).to.equal(200);
    expect(String(back.headers['warning'])).to.include(`lose access to`).and.include('BasicRole/Viewer (View)');
  });

  it('names nobody by a binding that the caller may not view', async () => {
    const [ops, open, shut] = [await team(), await folder(), await folder()];
    await bind(ops, 'Admin', shut);
    const { info } = await people.person({ role: 'Editor' });
    const dashboards = dashboardsOf(server);
    const { metadata } = await dashboards.make(freshName(), { folder: open });
    const body = { metadata: { annotations: { [PARENT]: shut } } };
    const moved = await dashboards.merge(metadata.name, body, { user: info });
    const gained = `these gain access to the dashboard "${metadata.name}": others, whose permissions you may not view (Admin)${UNWANTED}`;
    expect([moved.status, moved.headers['warning']]).to.deep.equal([200, [quoted(gained)]]);
  });

  it('names who loses it when a folder becomes private, and who gains it when it opens', async () => {
    const name = await folder();
    const roles = 'BasicRole/Editor (Edit), BasicRole/Viewer (View)';
    const what = `the folder "${name}" and what lies in it`;
    const closed = await annotate(name, { [ROLES]: 'none' });
    expect(closed.headers['warning']).to.deep.equal([quoted(`these lose access to ${what}: ${roles}${WANTED}`)]);
    const opened = await annotate(name, { [ROLES]: null });
    expect(opened.headers['warning']).to.deep.equal([quoted(`these gain access to ${what}: ${roles}${UNWANTED}`)]);
    const again = await annotate(name, { other: 'x' });
    expect(again.headers).to.not.have.property('warning');
  });

  it('names who gains and loses it by a list of permissions of the legacy API', async () => {
    const name = await folder();
    const set = (items: readonly object[]) =>
      server().call('POST', `/api/folders/${name}/permissions`, { body: { items } });
    const what = `the folder "${name}" and what lies in it`;
    const { headers } = await set([{ role: 'Editor', permission: 1 }]);
    expect(headers['warning']).to.deep.equal([
      quoted(`these lose access to ${what}: BasicRole/Editor (Edit), BasicRole/Viewer (View)${WANTED}`),
    ]);
    expect((await set([{ role: 'Editor', permission: 1 }])).headers).to.not.have.property('warning');
  });

  it('names who gains it by a binding, and who loses it when the binding is deleted', async () => {
    const [ops, name] = [await team(), await folder()];
    const what = `the folder "${name}" and what lies in it`;
    const { name: binding, said } = await bind(ops, 'Edit', name);
    expect(said).to.deep.equal([quoted(`these gain access to ${what}: Team/${ops} (Edit)${UNWANTED}`)]);
    const removed = await server().call('DELETE', `${BINDINGS}/${binding}`);
    expect(removed.headers['warning']).to.deep.equal([
      quoted(`these lose access to ${what}: Team/${ops} (Edit)${WANTED}`),
    ]);
  });

  it('names them for a folder inside a folder, without the basic roles that a private one ends', async () => {
    const [ops, outer] = [await team(), await folder()];
    await bind(ops, 'Admin', outer);
    const inner = await folder({ [PARENT]: outer });
    const what = `the folder "${inner}" and what lies in it`;
    const roles = 'BasicRole/Editor (Edit), BasicRole/Viewer (View)';
    const closed = await annotate(inner, { [ROLES]: 'none' });
    expect(closed.headers['warning']).to.deep.equal([quoted(`these lose access to ${what}: ${roles}${WANTED}`)]);
    const open = await folder();
    const moved = await annotate(inner, { [PARENT]: open });
    const lost = `these lose access to ${what}: Team/${ops} (Admin)${WANTED}`;
    expect(moved.headers['warning']).to.deep.equal([quoted(lost)]);
    const opened = await annotate(inner, { [ROLES]: null });
    expect(opened.headers['warning']).to.deep.equal([quoted(`these gain access to ${what}: ${roles}${UNWANTED}`)]);
    const metadata = { name: freshName(), annotations: { [PARENT]: outer, [ROLES]: 'none' } };
    const body = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec: { title: metadata.name } };
    const made = await server().call('POST', FOLDERS, { body });
    const lose = `these lose access to the folder "${metadata.name}" and what lies in it: ${roles}${WANTED}`;
    expect([made.status, made.headers['warning']]).to.deep.equal([201, [quoted(lose)]]);
  });

  // Promise: security rights
  it('names them for an atomic apply, planned or done', async () => {
    const [open, shut, ops] = [await folder(), await folder({ [ROLES]: 'none' }), await team()];
    const place = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', spec: { title: open } };
    const binding = {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'RoleBinding',
      metadata: { name: freshName() },
      spec: {
        subject: { kind: 'Team', name: ops },
        roleRef: { kind: 'BuiltIn', name: 'Admin' },
        scope: { folder: shut },
      },
    };
    const objects = [{ ...place, metadata: { name: open, annotations: { [ROLES]: 'none' } } }, binding];
    for (const query of [{ dryRun: 'All', force: 'true' }, { force: 'true' }]) {
      const body = { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplyRequest', spec: { objects } };
      const answer = await server().call('POST', `${SETS}/${open}/apply`, { body, query });
      expect(answer.status, answer.text).to.be.oneOf([200, 201]);
      expect(answer.headers['warning']).to.deep.equal([
        quoted(
          `these lose access to the folder "${open}" and what lies in it: BasicRole/Editor (Edit), BasicRole/Viewer (View)${WANTED}`,
        ),
        quoted(`these gain access to the folder "${shut}" and what lies in it: Team/${ops} (Admin)${UNWANTED}`),
      ]);
    }
  });

  // Promise: security rights
  it('names them when a version goes back to its former place, and when a folder is restored with its permissions', async () => {
    const [name, ops] = [await folder(), await team()];
    const path = `${FOLDERS}/${name}`;
    const shut = await folder();
    for (const [one, annotations] of [
      [shut, { [ROLES]: 'none' }],
      [name, { 'svc.app/folder': shut }],
    ] as const)
      bodyOf(
        await server().call('PATCH', `${FOLDERS}/${one}`, { body: { metadata: { annotations } }, headers: MERGE }),
        200,
      );
    const restore = (spec: object, query = {}) => server().call('POST', `${path}/restore`, { body: { spec }, query });
    for (const query of [{ dryRun: 'All' }, undefined]) {
      const opened = await restore({ version: 1, formerPlace: true }, query);
      expect(opened.status, opened.text).to.equal(201);
      expect(String(opened.headers['warning'])).to.include('these gain access').and.include('BasicRole/Viewer (View)');
    }
    await bind(ops, 'Admin', name);
    bodyOf(await server().call('DELETE', path), 200);
    const back = await restore({});
    expect(back.status, back.text).to.equal(201);
    expect(String(back.headers['warning'])).to.include('these gain access').and.include(`Team/${ops} (Admin)`);
  });
});
