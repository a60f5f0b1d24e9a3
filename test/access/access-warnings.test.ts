import { expect } from 'chai';
import { accessWarning } from '../../pkg/console/client/pages/folders/actions/access-warnings.js';
import { warningsIn } from '../../pkg/system/text/warning-header.js';
import type { Answer } from '../harness/answer.js';
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
    return { name: bodyOf(answer, 201).metadata.name, said: warningsOf(answer) };
  };
  const annotate = (name: string, annotations: object, query: Record<string, string> = {}) =>
    server().call('PATCH', `${FOLDERS}/${name}`, { body: { metadata: { annotations } }, headers: MERGE, query });
  const people = peopleOf(server);
  /** Without the numbers of people, which depend on the other tests. */
  const warningsOf = ({ headers }: Pick<Answer, 'headers'>) =>
    [headers['warning'] ?? []].flat().map((text) => text.replace(/, (\d+ of )?\d+ (people|person)\)/g, ')'));
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
      expect([answer.status, warningsOf(answer)]).to.deep.equal([200, expected]);
    }
    const back = await server().call('POST', `/api/folders/${moved}/move`, { body: { parentUid: secret } });
    expect(back.status).to.equal(200);
    expect(String(warningsOf(back)))
      .to.include(`lose access to`)
      .and.include('BasicRole/Viewer (View)');
  });

  it('names people as people know them, counts those of a team, and leaves out who keeps the same level', async () => {
    const ada = await people.person({ role: 'Editor' });
    const bob = await people.person({ role: 'Viewer' });
    const [crew, name] = [await team(), await folder()];
    for (const { uid } of [ada, bob]) {
      const metadata = { name: `${crew}.${uid}` };
      const spec = { teamRef: { name: crew }, userRef: { name: uid } };
      const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'TeamBinding', metadata, spec };
      bodyOf(await server().call('POST', TEAMS.replace(/teams$/, 'teambindings'), { body }), 201);
    }
    const what = `the folder "${name}" and what lies in it`;
    const spec = (role: string, subject: object) => ({
      spec: { subject, roleRef: { kind: 'BuiltIn', name: role }, scope: { folder: name } },
    });
    const write = async (binding: string, body: object) => {
      const answer = await server().call('PATCH', `${BINDINGS}/${binding}`, { body, headers: MERGE });
      expect(answer.status, answer.text).to.equal(200);
      return answer.headers['warning'] ?? [];
    };
    const create = async (subject: object, role: string) => {
      const metadata = { name: freshName() };
      const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata, ...spec(role, subject) };
      const answer = await server().call('POST', BINDINGS, { body });
      return { name: bodyOf(answer, 201).metadata.name, said: answer.headers['warning'] ?? [] };
    };
    const own = await create({ kind: 'User', name: bob.uid }, 'Admin');
    const named = `User/${bob.uid} "Name of ${bob.uid}"`;
    expect(own.said).to.deep.equal([quoted(`these change their access to ${what}: ${named} (View -> Admin)`)]);
    const byTeam = await create({ kind: 'Team', name: crew }, 'Edit');
    expect(byTeam.said, 'both have as much').to.deep.equal([]);
    expect(await write(own.name, spec('View', { kind: 'User', name: bob.uid }))).to.deep.equal([
      quoted(`these change their access to ${what}: ${named} (Admin -> Edit)`),
    ]);
    const gone = await server().call('DELETE', `${BINDINGS}/${byTeam.name}`);
    expect(gone.headers['warning']).to.deep.equal([
      quoted(`these change their access to ${what}: Team/${crew} (Edit -> View, 1 of 2 people)`),
    ]);
    expect(accessWarning(warningsIn(String(gone.headers['warning']))[0]?.text ?? '')?.changes).to.deep.equal([
      {
        subject: { kind: 'Team', name: crew },
        ...{ title: crew, detail: crew, from: 'Edit', to: 'View', people: '1 of 2 people' },
      },
    ]);
    const odd = 'Zoë "The, Countess" (1 person). If they should not';
    const zoe = await people.person({ spec: { name: odd, login: 'zoë' } });
    const [text = ''] = (await create({ kind: 'User', name: zoe.uid }, 'Edit')).said;
    const [warning] = warningsIn(text);
    const parsed = accessWarning(warning?.text ?? '');
    expect(parsed, text).to.deep.equal({
      verb: 'change',
      place: { word: 'folder', name },
      changes: [
        { subject: { kind: 'User', name: zoe.uid }, title: odd.slice(0, 40), detail: 'zoë', from: 'View', to: 'Edit' },
      ],
      more: 0,
      isCut: false,
    });
    const root = await create(
      { kind: 'User', name: (await people.person({ spec: { grafanaAdmin: true } })).uid },
      'Admin',
    );
    expect(root.said, 'an administrator of the server').to.deep.equal([]);
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
    expect([moved.status, warningsOf(moved)]).to.deep.equal([200, [quoted(gained)]]);
  });

  it('names who loses it when a folder becomes private, and who gains it when it opens', async () => {
    const name = await folder();
    const roles = 'BasicRole/Editor (Edit), BasicRole/Viewer (View)';
    const what = `the folder "${name}" and what lies in it`;
    const closed = await annotate(name, { [ROLES]: 'none' });
    expect(warningsOf(closed)).to.deep.equal([quoted(`these lose access to ${what}: ${roles}${WANTED}`)]);
    const opened = await annotate(name, { [ROLES]: null });
    expect(warningsOf(opened)).to.deep.equal([quoted(`these gain access to ${what}: ${roles}${UNWANTED}`)]);
    const again = await annotate(name, { other: 'x' });
    expect(again.headers).to.not.have.property('warning');
  });

  it('names who gains and loses it by a list of permissions of the legacy API', async () => {
    const name = await folder();
    const set = (items: readonly object[]) =>
      server().call('POST', `/api/folders/${name}/permissions`, { body: { items } });
    const what = `the folder "${name}" and what lies in it`;
    expect(warningsOf(await set([{ role: 'Editor', permission: 1 }]))).to.deep.equal([
      quoted(`these change their access to ${what}: BasicRole/Editor (Edit -> View)`),
      quoted(`these lose access to ${what}: BasicRole/Viewer (View)${WANTED}`),
    ]);
    expect((await set([{ role: 'Editor', permission: 1 }])).headers).to.not.have.property('warning');
  });

  it('names who gains it by a binding, and who loses it when the binding is deleted', async () => {
    const [ops, name] = [await team(), await folder()];
    const what = `the folder "${name}" and what lies in it`;
    const { name: binding, said } = await bind(ops, 'Edit', name);
    expect(said).to.deep.equal([quoted(`these gain access to ${what}: Team/${ops} (Edit)${UNWANTED}`)]);
    const removed = await server().call('DELETE', `${BINDINGS}/${binding}`);
    expect(warningsOf(removed)).to.deep.equal([quoted(`these lose access to ${what}: Team/${ops} (Edit)${WANTED}`)]);
  });

  it('names them for a folder inside a folder, without the basic roles that a private one ends', async () => {
    const [ops, outer] = [await team(), await folder()];
    await bind(ops, 'Admin', outer);
    const inner = await folder({ [PARENT]: outer });
    const what = `the folder "${inner}" and what lies in it`;
    const roles = 'BasicRole/Editor (Edit), BasicRole/Viewer (View)';
    const closed = await annotate(inner, { [ROLES]: 'none' });
    expect(warningsOf(closed)).to.deep.equal([quoted(`these lose access to ${what}: ${roles}${WANTED}`)]);
    const open = await folder();
    const moved = await annotate(inner, { [PARENT]: open });
    const lost = `these lose access to ${what}: Team/${ops} (Admin)${WANTED}`;
    expect(warningsOf(moved)).to.deep.equal([quoted(lost)]);
    const opened = await annotate(inner, { [ROLES]: null });
    expect(warningsOf(opened)).to.deep.equal([quoted(`these gain access to ${what}: ${roles}${UNWANTED}`)]);
    const metadata = { name: freshName(), annotations: { [PARENT]: outer, [ROLES]: 'none' } };
    const body = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec: { title: metadata.name } };
    const made = await server().call('POST', FOLDERS, { body });
    const lose = `these lose access to the folder "${metadata.name}" and what lies in it: ${roles}${WANTED}`;
    expect([made.status, warningsOf(made)]).to.deep.equal([201, [quoted(lose)]]);
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
      expect(warningsOf(answer)).to.deep.equal([
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
      expect(String(warningsOf(opened)))
        .to.include('these gain access')
        .and.include('BasicRole/Viewer (View)');
    }
    await bind(ops, 'Admin', name);
    bodyOf(await server().call('DELETE', path), 200);
    const back = await restore({});
    expect(back.status, back.text).to.equal(201);
    expect(String(warningsOf(back)))
      .to.include('these gain access')
      .and.include(`Team/${ops} (Admin)`);
  });
});
