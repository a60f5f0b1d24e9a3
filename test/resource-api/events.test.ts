import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import { expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const CORE = '/api/v1/namespaces/default/events';
const NEW = '/apis/events.k8s.io/v1/namespaces/default/events';
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const FOLDER = { kind: 'Folder', namespace: 'default', name: 'ops', apiVersion: 'folder.svc.app/v1beta1' };

type Members = Readonly<Record<string, unknown>>;

oneStore('events', (server) => {
  const accepted = (answer: Answer, status = 200): Members => {
    expect(answer.status, answer.text).to.equal(status);
    const { metadata: _, ...members } = answer.json() as unknown as Members;
    return members;
  };
  const core = (name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'default' },
    involvedObject: FOLDER,
    reason: 'Synced',
    message: 'it is there',
    source: { component: 'controller' },
    firstTimestamp: '2026-01-31T12:00:00Z',
    lastTimestamp: '2026-01-31T12:00:00Z',
    eventTime: null,
    count: 1,
    type: 'Normal',
    ...more,
  });

  // Promise: contract 5.3, contract 8
  it('are written by recorders of core/v1, which count by a strategic merge patch', async () => {
    const name = freshName();
    const { metadata: _, eventTime: __, ...sent } = core(name);
    expect(accepted(await server().call('POST', CORE, { body: core(name) }), 201)).to.deep.equal(sent);
    const body = { count: 2, lastTimestamp: '2026-01-31T12:01:00Z' };
    const patched = await server().call('PATCH', `${CORE}/${name}`, { body, headers: STRATEGIC });
    expect(accepted(patched)).to.deep.equal({ ...sent, ...body });
    const directive = { body: { involvedObject: { $patch: 'replace' } }, headers: STRATEGIC };
    expectStatus(await server().call('PATCH', `${CORE}/${name}`, directive), 400, 'BadRequest', '$patch');
  });

  it('take strategic merge patches, which kinds of this server refuse', async () => {
    const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders/x';
    expect((await server().call('PATCH', path, { body: {}, headers: STRATEGIC })).status).to.equal(415);
  });

  // Promise: contract 8
  it('are the same objects in events.k8s.io/v1, for readers and writers', async () => {
    const name = freshName();
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace: 'default' },
      eventTime: '2026-01-31T12:00:00.000001Z',
      reportingController: 'controller',
      reportingInstance: 'controller-1',
      action: 'Sync',
      reason: 'Synced',
      regarding: FOLDER,
      note: 'it is there',
      type: 'Normal',
    };
    const { metadata: _, ...sent } = event;
    expect(accepted(await server().call('POST', NEW, { body: event }), 201)).to.deep.equal(sent);
    const stored = accepted(await server().call('GET', `${CORE}/${name}`));
    expect(stored).to.include({ apiVersion: 'v1', message: 'it is there', reportingComponent: 'controller' });
    expect(stored['involvedObject']).to.deep.equal(FOLDER);
    const series = { count: 2, lastObservedTime: '2026-01-31T12:02:00.000000Z' };
    const patched = await server().call('PATCH', `${NEW}/${name}`, { body: { series }, headers: STRATEGIC });
    expect(accepted(patched)).to.deep.equal({ ...sent, series });
    const put = await server().call('PUT', `${NEW}/${name}`, { body: { ...event, note: 'changed' } });
    expect(accepted(put)).to.deep.equal({ ...sent, note: 'changed' });
    expect(accepted(await server().call('GET', `${CORE}/${name}`))).to.include({ message: 'changed' });
    const query = { fieldSelector: `metadata.name=${name},regarding.name=ops` };
    const { items } = accepted(await server().call('GET', NEW, { query })) as { items: readonly Members[] };
    expect(items.map(({ kind, note }) => [kind, note])).to.deep.equal([['Event', 'changed']]);
    const { regarding: _object, ...about } = event;
    accepted(await server().call('PUT', `${NEW}/${name}`, { body: about }));
    expect(accepted(await server().call('GET', `${CORE}/${name}`))['involvedObject']).to.deep.equal({});
    accepted(await server().call('PUT', `${NEW}/${name}`, { body: {} }));
    expect(accepted(await server().call('GET', `${CORE}/${name}`))['involvedObject']).to.deep.equal({});
    accepted(await server().call('DELETE', `${NEW}/${name}`));
    expect((await server().call('GET', `${CORE}/${name}`)).status).to.equal(404);
  });

  it('are applied in either version, and the fields that are owned have the names of core/v1', async () => {
    const apply = (path: string, fieldManager: string, body: object) => {
      const query = { fieldManager, fieldValidation: 'Strict' };
      return server().call('PATCH', `${path}/${name}`, {
        body: { metadata: { name }, ...body },
        query,
        headers: APPLY,
      });
    };
    const name = freshName();
    const typeMeta = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };
    const created = await apply(NEW, 'new', { ...typeMeta, regarding: FOLDER, note: 'it is there' });
    expect(accepted(created, 201)).to.deep.equal({ ...typeMeta, regarding: FOLDER, note: 'it is there' });
    const [entry] = created.json().metadata.managedFields ?? [];
    expect(entry).to.include({ manager: 'new', operation: 'Apply', apiVersion: 'v1' });
    expect(entry?.fieldsV1).to.have.property('f:message');
    const other = { apiVersion: 'v1', kind: 'Event', involvedObject: FOLDER, message: 'it is gone' };
    expectStatus(await apply(CORE, 'core', other), 409, 'Conflict', 'conflict with "new": .message');
    expect(accepted(await apply(CORE, 'core', { ...other, message: 'it is there', count: 2 }))).to.include({
      count: 2,
    });
    expect(accepted(await apply(CORE, 'core', { ...other, message: 'it is there' }))).not.to.have.property('count');
    expectStatus(await apply(NEW, 'new', { ...typeMeta, message: 'x' }), 400, 'BadRequest', 'message');
  });

  it('need neither apiVersion nor kind, which typed clients leave out', async () => {
    const { apiVersion: _, kind: __, ...bare } = core(freshName());
    expect(accepted(await server().call('POST', CORE, { body: bare }), 201)).to.include({
      apiVersion: 'v1',
      kind: 'Event',
    });
    const half = { ...bare, kind: 'Folder' };
    expectStatus(await server().call('POST', CORE, { body: half }), 400, 'BadRequest', 'Folder');
  });

  it('are watched in either version', async () => {
    const name = freshName();
    for (const [path, member] of [
      [CORE, 'message'],
      [NEW, 'note'],
    ] as const) {
      const query = { watch: true, fieldSelector: `metadata.name=${name}-${member}` };
      const { frames } = await server().call('GET', path, { query });
      accepted(await server().call('POST', CORE, { body: core(`${name}-${member}`) }), 201);
      expect((await frames.next())?.object).to.have.property(member, 'it is there');
      await frames.close();
    }
  });

  it('are found by the object that they are about', async () => {
    const name = freshName();
    const involvedObject = { ...FOLDER, name };
    accepted(await server().call('POST', CORE, { body: core(name, { involvedObject }) }), 201);
    accepted(await server().call('POST', CORE, { body: core(`${name}-other`) }), 201);
    const query = { fieldSelector: `involvedObject.kind=Folder,involvedObject.name=${name}` };
    const answer = accepted(await server().call('GET', CORE, { query })) as { items: readonly Members[] };
    expect(answer.items).to.have.lengthOf(1);
  });

  it('are refused without what they are about, in another namespace than that, and with fields of another type', async () => {
    const refuse = async (body: object, field: string) =>
      expectStatus(await server().call('POST', CORE, { body }), 422, 'Invalid', field);
    await refuse(core('x', { involvedObject: undefined }), 'involvedObject');
    await refuse(core('x', { involvedObject: { ...FOLDER, namespace: 'other' } }), 'involvedObject.namespace');
    await refuse(core('x', { count: 'many' }), 'count');
    await refuse(core('x', { message: 'x'.repeat(100_000) }), 'message');
    await refuse(core('x', { lastTimestamp: 'now' }), 'lastTimestamp');
  });

  it('are tables of what happened to what', async () => {
    const name = freshName();
    accepted(await server().call('POST', CORE, { body: core(name) }), 201);
    for (const path of [CORE, NEW]) {
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      const table = (await server().call('GET', `${path}/${name}`, { headers })).json();
      expect(table.rows[0]?.cells.slice(2, 6)).to.deep.equal(['Normal', 'Synced', 'folder/ops', 'it is there']);
    }
  });
});
