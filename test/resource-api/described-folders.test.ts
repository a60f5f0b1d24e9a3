import { expect } from 'chai';
import { addPerson, addRole, bind, person } from '../access/people.js';
import { bodyOf, FOLDERS, freshName, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const EVENTS = '/api/v1/namespaces/default/events';

interface Told {
  readonly items: readonly { readonly reason: string; readonly message: string; readonly type: string }[];
  readonly metadata: { readonly continue?: string };
}

oneStore('the events of one folder, for which kubectl describe asks', (server) => {
  const folders = resourceOf(server, FOLDERS);
  const make = async (path: string, apiVersion: string, kind: string, name: string, more: object): Promise<string> => {
    const body = { apiVersion, kind, metadata: { name, ...more }, spec: { title: name } };
    return bodyOf(await server().call('POST', path, { body }), 201).metadata.uid ?? '';
  };
  const folder = (name: string, annotations: object = {}): Promise<string> =>
    make('/apis/folder.svc.app/v1beta1/namespaces/default/folders', 'folder.svc.app/v1beta1', 'Folder', name, {
      annotations,
    });
  const dashboard = (name: string, place: string): Promise<string> =>
    make(
      '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards',
      'dashboard.svc.app/v1beta1',
      'Dashboard',
      name,
      { annotations: { 'svc.app/folder': place } },
    );
  /** Lists the events of a folder with the field selector of kubectl describe. */
  const asked = async (name: string, uid: string, more: Readonly<Record<string, string>> = {}): Promise<Told> => {
    const selector = `involvedObject.name=${name},involvedObject.namespace=default,involvedObject.kind=Folder,involvedObject.uid=${uid}`;
    const { fieldSelector = selector, ...query } = more;
    const answer = await server().call('GET', EVENTS, { query: { fieldSelector, limit: '500', ...query } });
    return bodyOf(answer, 200) as unknown as Told;
  };
  /** The reasons of the events that a member with only these permissions gets: `<action>@<scope>`. */
  const reasonsFor = async (allowed: readonly string[], name: string, uid: string): Promise<readonly string[]> => {
    const member = freshName();
    await addPerson(server(), member, 'None');
    const permissions = allowed.map((one) => ({ action: one.split('@')[0], scope: one.split('@')[1] }));
    await addRole(server(), member, permissions);
    await bind(server(), member, { subject: ['User', member], role: ['Role', member] });
    const fieldSelector = `involvedObject.kind=Folder,involvedObject.name=${name},involvedObject.uid=${uid}`;
    const answer = await server().call('GET', EVENTS, { query: { fieldSelector }, user: person(member) });
    return (bodyOf(answer, 200) as unknown as Told).items.map(({ reason }) => reason);
  };
  const told = async (name: string, uid: string, more?: Readonly<Record<string, string>>) =>
    Object.fromEntries((await asked(name, uid, more)).items.map(({ reason, message }) => [reason, message]));

  it('tell what lies directly in it', async () => {
    const [top, inner] = [freshName(), freshName()];
    const uid = await folder(top);
    expect(await told(top, uid)).to.include({ Contents: 'it is empty' });
    await folder(inner, { 'svc.app/folder': top });
    for (const place of [top, top, inner]) await dashboard(freshName(), place);
    expect(await told(top, uid)).to.include({ Contents: 'directly in it: folders: 1, dashboards: 2' });
  });

  it('tell who has access to it, also by the folders above it', async () => {
    const [top, inner, team] = [freshName(), freshName(), freshName()];
    await make('/apis/iam.svc.app/v1beta1/namespaces/default/teams', 'iam.svc.app/v1beta1', 'Team', team, {});
    await folder(top, { 'svc.app/basic-roles': 'none' });
    const uid = await folder(inner, { 'svc.app/folder': top });
    expect(await told(inner, uid)).to.include({ Access: 'these have access: administrators (Admin)' });
    const spec = {
      subject: { kind: 'Team', name: team },
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { folder: top },
    };
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name: freshName() }, spec };
    bodyOf(await server().call('POST', '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings', { body }), 201);
    expect(await told(inner, uid)).to.include({
      Access: `these have access: administrators (Admin), Team/${team} (Edit)`,
    });
    const open = freshName();
    expect(await told(open, await folder(open))).to.include({
      Access: 'these have access: administrators (Admin), BasicRole/Editor (Edit), BasicRole/Viewer (View)',
    });
  });

  it('are stored nowhere: lists that ask for more, and reads by name, do not have them', async () => {
    const name = freshName();
    const uid = await folder(name);
    const end = await server().end();
    expect(Object.keys(await told(name, uid))).to.have.members(['Contents', 'Access']);
    expect(await server().end()).to.equal(end);
    expect((await asked(name, uid, { fieldSelector: `involvedObject.name=${name}` })).items).to.deep.equal([]);
    expect((await server().call('GET', `${EVENTS}/${name}.contents`)).status).to.equal(404);
    expect(await told(name, 'another-uid')).to.deep.equal({});
    expect(await told(freshName(), uid)).to.deep.equal({});
    expect(await told(name, uid, { labelSelector: 'a=b' })).to.deep.equal({});
  });

  it('come in tables, too', async () => {
    const name = freshName();
    const uid = await folder(name);
    const fieldSelector = `involvedObject.kind=Folder,involvedObject.name=${name},involvedObject.uid=${uid},reason=Contents`;
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const { rows } = (await server().call('GET', EVENTS, { query: { fieldSelector }, headers })).json() as unknown as {
      readonly rows: readonly { readonly cells: readonly string[] }[];
    };
    expect(rows.map(({ cells }) => cells.slice(2, -1))).to.deep.equal([
      ['Normal', 'Contents', `folder/${name}`, 'it is empty'],
    ]);
  });

  // Promise: security rights
  it('tell nothing of a folder that the caller may not see, and not who has access to those who may not know that', async () => {
    const name = freshName();
    const uid = await folder(name, { 'svc.app/basic-roles': 'none' });
    bodyOf(await folders.get(name), 200);
    expect(await reasonsFor(['events:read@events:*'], name, uid)).to.deep.equal([]);
    const reads = ['events:read@events:*', `folders:read@folders:uid:${name}`];
    expect(await reasonsFor(reads, name, uid)).to.deep.equal(['Contents']);
    expect(await reasonsFor([...reads, `folders.permissions:read@folders:uid:${name}`], name, uid)).to.deep.equal([
      'Contents',
      'Access',
    ]);
    const others = ['events:read@events:uid:another', `folders:read@folders:uid:${name}`];
    expect(await reasonsFor(others, name, uid), 'of an event that is another one').to.deep.equal([]);
  });
});
