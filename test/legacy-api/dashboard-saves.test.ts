import { expect } from 'chai';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { dashboardsOf, FOLDER } from '../resource-api/dashboards.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const MISMATCH = { message: 'The dashboard has been changed by someone else', status: 'version-mismatch' };
const TAKEN = { message: 'A dashboard with the same name in the folder already exists', status: 'name-exists' };
const EMPTY_TITLE = { message: 'Dashboard title cannot be empty', status: 'empty-name' };
const NOT_FOUND = { message: 'Dashboard not found' };

oneStore('POST /api/dashboards/db', (server) => {
  const { ask, refused, call } = legacyOf(server);
  const resource = dashboardsOf(server);
  const people = peopleOf(server);
  const save = (dashboard: Json, more: Json = {}): Promise<Json> =>
    ask(200, 'POST', '/dashboards/db', { dashboard, ...more });
  const refusedSave = (status: number, expected: Json, dashboard: Json, more: Json = {}): Promise<void> =>
    changingNothing(server(), () => refused(status, expected, 'POST', '/dashboards/db', { dashboard, ...more }));
  const newFolder = (): Promise<Json> => ask(200, 'POST', '/folders', { title: fresh('Folder') });

  // Promise: specification 4.12
  it('stays in its folder if what GET answered is sent back, unless the body names a folder', async () => {
    const { uid: folderUid } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    const { uid } = await ask(200, 'POST', '/dashboards/db', { dashboard: { title: fresh('Back') }, folderUid });
    const place = async (): Promise<string> => (await ask(200, 'GET', `/dashboards/uid/${uid}`)).meta.folderUid;
    const { dashboard, meta } = await ask(200, 'GET', `/dashboards/uid/${uid}`);
    const send = (more: Json): Promise<Json> =>
      ask(200, 'POST', '/dashboards/db', { dashboard, overwrite: true, ...more });
    await send({ meta });
    expect(await place()).to.equal(folderUid);
    await send({ meta: { folderUid: 'of-another-server' } });
    expect(await place()).to.equal('');
    await send({ meta, folderUid: '' });
    expect(await place()).to.equal('');
    await send({ meta: 'text' });
  });

  // Promise: specification 2.10
  it('creates a dashboard, and answers with what identifies it', async () => {
    const { uid: folderUid } = await newFolder();
    const title = fresh('Latency & Errors');
    const dashboard = {
      id: null,
      title,
      tags: ['ops'],
      panels: [{ id: 1, type: 'text' }],
      UpdatedAt: '0001-01-01T00:00:00Z',
    };
    const saved = await save(dashboard, { folderUid, message: 'first', UpdatedAt: '0001-01-01T00:00:00Z' });
    const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    expect(saved).to.include({ status: 'success', version: 1, folderUid, slug, url: `/d/${saved.uid}/${slug}` });
    expect(saved.uid).to.match(/^[0-9a-z]{26}$/);
    expect(saved.id).to.be.a('number').greaterThan(0);
    const { metadata, spec } = await resource.read(saved.uid);
    expect(metadata.annotations).to.include({ [FOLDER]: folderUid, 'svc.app/message': 'first' });
    const { id: _, ...kept } = dashboard;
    expect(spec).to.deep.equal(kept);
  });

  it('updates the dashboard of the uid, or of the id without a uid, from the version that was read', async () => {
    const title = fresh('Updated');
    const { uid, id } = await save({ title });
    expect(await save({ uid, title, version: 1, refresh: '1m' })).to.include({ uid, id, version: 2 });
    expect(await save({ id, title, version: 2, refresh: '2m' })).to.include({ uid, id, version: 3 });
    expect((await resource.read(uid)).spec).to.deep.equal({ title, refresh: '2m' });
  });

  it('refuses a version that is not the current one, unless it is to be overwritten', async () => {
    const title = fresh('Raced');
    const { uid } = await save({ title });
    await save({ uid, title, version: 1, refresh: '1m' });
    await refusedSave(412, MISMATCH, { uid, title, version: 1, refresh: '2m' });
    await refusedSave(412, MISMATCH, { uid, title, refresh: '2m' });
    expect(await save({ uid, title, version: 1, refresh: '3m' }, { overwrite: true })).to.include({ version: 3 });
  });

  it('takes the uid, and not the id of another server beside it', async () => {
    const other = await save({ title: fresh('Other') });
    const uid = fresh('restored');
    const restored = await save({ id: other.id, uid, title: fresh('Restored') });
    expect(restored.uid).to.equal(uid);
    expect(restored.id).to.not.equal(other.id);
    expect(await save({ id: 987_654, uid, title: fresh('Again') }, { overwrite: true })).to.include({
      id: restored.id,
    });
    await refusedSave(404, NOT_FOUND, { id: 987_654, title: fresh('Nowhere') });
  });

  it('refuses the title of another dashboard in the folder, and overwrites that one if it is told to', async () => {
    const { uid: folderUid } = await newFolder();
    const title = fresh('Taken');
    const first = await save({ title }, { folderUid });
    await refusedSave(412, TAKEN, { title: title.toUpperCase() }, { folderUid });
    expect((await save({ title })).uid).to.not.equal(first.uid);
    expect(await save({ title, refresh: '1m' }, { folderUid, overwrite: true })).to.include({
      uid: first.uid,
      version: 2,
    });
    expect(await save({ uid: fresh('new'), title }, { folderUid, overwrite: true })).to.include({ uid: first.uid });
    const second = await save({ title: fresh('Second') }, { folderUid });
    await refusedSave(412, TAKEN, { uid: second.uid, title }, { folderUid, overwrite: true });
  });

  it('saves into the folder of the uid or of the id, and at the root without one', async () => {
    const folder = await newFolder();
    const title = fresh('Placed');
    const { uid } = await save({ title }, { folderId: folder.id });
    const placeAfter = async (more: Json) => (await save({ uid, title }, { overwrite: true, ...more })).folderUid;
    expect((await resource.read(uid)).metadata.annotations).to.include({ [FOLDER]: folder.uid });
    expect(await placeAfter({})).to.equal('');
    expect(await placeAfter({ folderUid: folder.uid, folderId: 0 })).to.equal(folder.uid);
    expect(await placeAfter({ folderUid: 'general' })).to.equal('');
    expect(await placeAfter({ folderUid: folder.uid })).to.equal(folder.uid);
    expect(await placeAfter({ folderUid: '', folderId: 0 })).to.equal('');
    await refusedSave(400, { message: 'folder not found' }, { title: fresh('Lost') }, { folderUid: 'none' });
    await refusedSave(400, { message: 'folder not found' }, { title: fresh('Lost') }, { folderId: 987_654 });
  });

  it('keeps the message of the last save only', async () => {
    const title = fresh('Message');
    const { uid } = await save({ title }, { message: 'why' });
    await save({ uid, title, version: 1, refresh: '1m' });
    expect((await resource.read(uid)).metadata.annotations).to.not.have.property('svc.app/message');
  });

  // Promise: specification 4.11
  it('takes numbers that are texts, as old exports have them, and ignores texts that are none', async () => {
    const { uid } = await save({ title: fresh('Texts'), version: '43', id: '' });
    await save({ uid, title: fresh('Texts'), version: '1', id: 'x' });
    const mismatch = await call('POST', '/dashboards/db', { body: { dashboard: { uid, title: 'x', version: '1' } } });
    expect(mismatch.status).to.equal(412);
    const none = await call('POST', '/dashboards/db', { body: { dashboard: { uid, title: 'x', version: 'latest' } } });
    expect(none.status).to.equal(412);
  });

  it('refuses bad input with 400, and changes nothing', async () => {
    const bad = { message: 'bad request data' };
    for (const title of [undefined, '', ' \t']) await refusedSave(400, EMPTY_TITLE, { title });
    await refusedSave(400, { message: 'uid too long, max 40 characters' }, { uid: 'x'.repeat(41), title: 'x' });
    await refusedSave(400, { message: 'uid contains illegal characters' }, { uid: 'a b', title: 'x' });
    await refusedSave(400, { message: 'Use folders endpoint for saving folders.' }, { title: 'x' }, { isFolder: true });
    for (const dashboard of [
      null,
      'text',
      [],
      { id: {}, title: 'x' },
      { version: [1], title: 'x' },
      { uid: 7, title: 'x' },
    ])
      await refusedSave(400, bad, dashboard);
    await refusedSave(400, bad, { title: 'x' }, { message: 'x'.repeat(5001) });
    expect((await ask(400, 'POST', '/dashboards/db', { dashboard: { title: 7 } })).message).to.match(/title/);
    expect((await ask(400, 'POST', '/dashboards/db', { dashboard: { title: 'x', tags: [7] } })).message).to.match(
      /tags/,
    );
    const deep = `{"dashboard":{"title":"deep","panels":${'['.repeat(500)}${']'.repeat(500)}}}`;
    expect((await call('POST', '/dashboards/db', { body: deep })).status).to.equal(400);
    const large = { dashboard: { title: 'large', text: 'x'.repeat(3 * 2 ** 20) } };
    expect((await call('POST', '/dashboards/db', { body: large })).status).to.equal(413);
  });

  it('needs the permission to write, and in a new folder the permission to create there', async () => {
    const viewer = await people.person({ role: 'Viewer' });
    const editor = await people.person({ role: 'Editor' });
    const body = { dashboard: { title: fresh('Allowed') } };
    await changingNothing(server(), () => ask(403, 'POST', '/dashboards/db', body, { user: viewer.info }));
    const { uid } = await ask(200, 'POST', '/dashboards/db', body, { user: editor.info });
    expect((await ask(200, 'GET', `/dashboards/uid/${uid}`)).meta.createdBy).to.equal(editor.login);
  });

  it('is seen by the resource API and its watches, and sees what they write', async () => {
    const title = fresh('Both');
    const { resourceVersion } = bodyOf(await resource.list({ query: { limit: 1 } }), 200).metadata;
    const watch = await resource.watch({ resourceVersion: resourceVersion ?? '' });
    const { uid } = await save({ title });
    bodyOf(await resource.merge(uid, { spec: { refresh: '1m' } }), 200);
    const events = await watch.take(2);
    expect(events.map(({ type, object }) => [type, object.metadata.name])).to.deep.equal([
      ['ADDED', uid],
      ['MODIFIED', uid],
    ]);
    await refusedSave(412, MISMATCH, { uid, title, version: 1 });
    expect(await save({ uid, title, version: 2 })).to.include({ version: 3 });
  });

  it('lets one of several concurrent writers of a version win', async () => {
    const title = fresh('Contended');
    const { uid } = await save({ title });
    const tries = ['1m', '2m', '3m', '4m'].map((refresh) =>
      call('POST', '/dashboards/db', { body: { dashboard: { uid, title, version: 1, refresh } } }),
    );
    expect((await Promise.all(tries)).map(({ status }) => status).sort()).to.deep.equal([200, 412, 412, 412]);
  });
});
