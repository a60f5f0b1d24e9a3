import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import { oneStore } from '../harness/stores.js';
import {
  addDashboard,
  addFolder,
  addPeople,
  bind,
  bindingSpec,
  DASHBOARDS,
  FOLDERS,
  folderBody,
  HERE,
  person,
} from './people.js';

const PRIVATE = { 'svc.app/basic-roles': 'none' };
const FOLDER = 'svc.app/folder';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const TRASH = { labelSelector: 'svc.app/get-trash=true' };
const [VIEWER, EDITOR] = [person('vera'), person('edith')];

oneStore('the past of a private folder', (server) => {
  const call = (method: string, path: string, user?: UserInfo, body?: unknown) =>
    server().call(method, path, { ...(user && { user }), ...(body === undefined ? {} : { body }) });
  const done = async (answer: Promise<Answer>, expected = 200) => {
    const { status, text } = await answer;
    expect(status, text).to.equal(expected);
  };
  const merge = (path: string, body: object) => done(server().call('PATCH', path, { headers: MERGE, body }));
  const annotate = (path: string, annotations: object) => merge(path, { metadata: { annotations } });
  const status = async (path: string, user: UserInfo) => (await call('GET', path, user)).status;

  before(() => addPeople(server()));

  // Promise: security rights
  it('does not open it: neither a version from before, nor a body without the annotation', async () => {
    await addDashboard(server(), 'versioned');
    await merge(`${DASHBOARDS}/versioned`, { metadata: { annotations: PRIVATE }, spec: { title: 'second' } });
    await bind(server(), 'edits', { subject: ['User', 'edith'], role: ['BuiltIn', 'Edit'], dashboard: 'versioned' });
    const path = `${DASHBOARDS}/versioned`;
    await done(call('POST', `${path}/restore`, EDITOR, { spec: { version: 1, formerPlace: true } }), 201);
    await done(call('POST', '/api/dashboards/uid/versioned/restore', EDITOR, { version: 2 }));
    await done(
      call('POST', '/api/dashboards/uid/versioned/restore', person('adam'), { version: 1, formerPlace: true }),
    );
    const dashboard = { uid: 'versioned', title: 'third' };
    await done(call('POST', '/api/dashboards/db', EDITOR, { dashboard, overwrite: true }));
    expect(await status(path, VIEWER)).to.equal(403);
    expect((await call('GET', path)).json().metadata.annotations).to.include(PRIVATE);
  });

  // Promise: security rights
  it('stays private when a version or a deletion comes back', async () => {
    await addFolder(server(), 'closed');
    await annotate(`${FOLDERS}/closed`, PRIVATE);
    await addFolder(server(), 'public');
    for (const name of ['stays', 'goes', 'reborn'])
      await addDashboard(server(), name, name === 'stays' ? 'public' : 'closed');
    await merge(`${DASHBOARDS}/stays`, {
      metadata: { annotations: { [FOLDER]: 'closed' } },
      spec: { title: 'second' },
    });
    await done(call('POST', '/api/dashboards/uid/stays/restore', undefined, { version: 1 }));
    expect(await status(`${DASHBOARDS}/stays`, VIEWER)).to.equal(403);
    const told = await call('POST', `${DASHBOARDS}/stays/restore`, undefined, {
      spec: { version: 1, formerPlace: true },
    });
    expect([told.status, String(told.headers['warning'])]).to.deep.equal([201, String(told.headers['warning'])]);
    expect(String(told.headers['warning']), 'whoever asks for it is told').to.contain('these gain access');
    expect(await status(`${DASHBOARDS}/stays`, VIEWER)).to.equal(200);

    await done(call('DELETE', `${DASHBOARDS}/goes`));
    await annotate(`${FOLDERS}/closed`, { 'svc.app/basic-roles': null });
    for (const path of [`${DASHBOARDS}/goes`, '/api/dashboards/uid/goes']) {
      const refused = await call('POST', `${path}/restore`, undefined, {});
      expect([refused.status, refused.text], path).to.satisfy(
        ([code, text]: [number, string]) => code === 409 && text.includes('would not be private'),
      );
    }
    await annotate(`${FOLDERS}/closed`, PRIVATE);
    await done(call('POST', `${DASHBOARDS}/goes/restore`, undefined, {}), 201);
    expect(await status(`${DASHBOARDS}/goes`, VIEWER)).to.equal(403);

    await done(call('DELETE', `${DASHBOARDS}/reborn`));
    await done(call('DELETE', `${FOLDERS}/closed`));
    await addFolder(server(), 'closed');
    const refused = await call('POST', `${DASHBOARDS}/reborn/restore`, undefined, {});
    expect([refused.status, refused.text]).to.satisfy(
      ([code, text]: [number, string]) => code === 409 && text.includes('another one now'),
    );
    await done(call('POST', `${DASHBOARDS}/reborn/restore`, undefined, { spec: { formerPlace: true } }), 201);
    expect(await status(`${DASHBOARDS}/reborn`, VIEWER)).to.equal(200);
  });

  it('comes back private with a folder that was private, and with its permissions', async () => {
    await addFolder(server(), 'kept');
    await annotate(`${FOLDERS}/kept`, PRIVATE);
    await addDashboard(server(), 'in-kept', 'kept');
    await bind(server(), 'norm-kept', { subject: ['User', 'norm'], role: ['BuiltIn', 'View'], folder: 'kept' });
    await done(call('DELETE', `${FOLDERS}/kept`));
    await done(call('POST', `${FOLDERS}/kept/restore`, undefined, {}), 201);
    const seen = await Promise.all(
      [VIEWER, EDITOR, person('norm')].map((user) => status(`${DASHBOARDS}/in-kept`, user)),
    );
    expect(seen).to.deep.equal([403, 403, 200]);
  });

  // Promise: security rights
  it('opens with what is moved out of it, and closes with what is moved into it', async () => {
    await addFolder(server(), 'shut');
    await annotate(`${FOLDERS}/shut`, PRIVATE);
    await addFolder(server(), 'open');
    await addDashboard(server(), 'moved', 'shut');
    await merge(`${DASHBOARDS}/moved`, { spec: { title: 'second' } });
    const first = `${DASHBOARDS}/moved/history?version=1`;
    expect(await status(first, VIEWER)).to.equal(403);
    await annotate(`${DASHBOARDS}/moved`, { [FOLDER]: 'open' });
    expect(await status(first, VIEWER)).to.equal(200);
    await annotate(`${DASHBOARDS}/moved`, { [FOLDER]: 'shut' });
    expect(await status(first, VIEWER)).to.equal(403);
  });

  // Promise: security rights
  it('includes what was deleted in the folder before it became private', async () => {
    await addFolder(server(), 'later');
    await addDashboard(server(), 'gone-early', 'later');
    await done(call('DELETE', `${DASHBOARDS}/gone-early`));
    const trash = async () => (await server().call('GET', DASHBOARDS, { user: VIEWER, query: TRASH })).text;
    expect(await trash()).to.contain('gone-early');
    await annotate(`${FOLDERS}/later`, PRIVATE);
    expect(await trash()).not.to.contain('gone-early');
    expect(await status(`${DASHBOARDS}/gone-early/history`, VIEWER)).to.equal(404);
    await done(call('POST', `${DASHBOARDS}/gone-early/restore`, EDITOR, {}), 404);
  });

  // Promise: security rights
  it('gives callers who restore a folder neither its permissions nor those of a creator', async () => {
    await addFolder(server(), 'taken');
    await done(call('DELETE', `${FOLDERS}/taken`, EDITOR));
    await done(call('POST', `${FOLDERS}/taken/restore`, EDITOR, {}), 201);
    await done(call('GET', '/api/folders/taken/permissions', EDITOR), 403);
  });

  it('does not tell who had rights on a folder to callers who may not restore these', async () => {
    await addFolder(server(), 'granted');
    await bind(server(), 'whose-grant', { subject: ['User', 'norm'], role: ['BuiltIn', 'View'], folder: 'granted' });
    await done(call('DELETE', `${FOLDERS}/granted`));
    const { status: code, text } = await call('POST', `${FOLDERS}/granted/restore`, EDITOR, {});
    expect(code).to.equal(403);
    for (const hidden of ['whose-grant', 'norm', 'rolebindings']) expect(text).not.to.contain(hidden);
    await done(call('POST', `${FOLDERS}/granted/restore`, person('adam'), {}), 201);
  });

  // Promise: security rights
  it('is not restored by callers who may not write what waits for the folder', async () => {
    await addFolder(server(), 'awaited');
    await done(call('DELETE', `${FOLDERS}/awaited`));
    const spec = bindingSpec({ subject: ['User', 'norm'], role: ['BuiltIn', 'Admin'], folder: 'awaited' });
    const binding = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name: 'waits' }, spec };
    await done(call('POST', `${HERE}/rolebindings`, person('adam'), binding), 201);
    await done(call('POST', `${FOLDERS}/awaited/restore`, EDITOR, {}), 403);
    await done(call('POST', FOLDERS, EDITOR, folderBody('awaited')), 403);
    await done(call('POST', `${FOLDERS}/awaited/restore`, person('adam'), {}), 201);
    expect(await status(`${FOLDERS}/awaited`, person('norm'))).to.equal(200);
  });
});
