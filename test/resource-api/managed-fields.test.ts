import { expect } from 'chai';
import { bodyOf, changingNothing, freshName, withMetadata } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { applyAt, managersOf } from './apply.js';
import { folder, foldersOf } from './folders.js';

const TITLE = { 'f:spec': { 'f:title': {} } };

oneStore('managedFields', (server) => {
  const folders = foldersOf(server);
  const apply = applyAt(server, '/apis/folder.svc.app/v1beta1/namespaces/default/folders');
  const by = (fieldManager: string) => ({ query: { fieldManager } });

  // Promise: contract 5.4
  it('of an object with one manager name the parts that it owns, in one short entry', async () => {
    const name = freshName();
    const body = bodyOf(await folders.create(folder(name, { labels: { x: 'y' } }), by('maker')), 201);
    const whole = { 'f:metadata': { 'f:labels': {} }, 'f:spec': { '.': {} } };
    expect(managersOf(body)).to.deep.equal({ 'maker Update': whole });
    const again = bodyOf(await folders.merge(name, { spec: { title: 'B' } }, by('maker')), 200);
    expect(managersOf(again)).to.deep.equal({ 'maker Update': whole });
  });

  // Promise: contract 5.4
  it('name every field as soon as there is a second manager', async () => {
    const name = freshName();
    bodyOf(await folders.create(folder(name), by('maker')), 201);
    const patch = [{ op: 'add', path: '/spec/description', value: 'D' }];
    const body = bodyOf(await folders.jsonPatch(name, patch, by('other')), 200);
    expect(managersOf(body)).to.deep.equal({
      'maker Update': { 'f:spec': { '.': {}, 'f:title': {} } },
      'other Update': { 'f:spec': { 'f:description': {} } },
    });
    const { generation } = body.metadata;
    const taken = bodyOf(
      await folders.put(name, { ...body, spec: { title: 'T', description: 'D' } }, by('third')),
      200,
    );
    expect(managersOf(taken)['third Update']).to.deep.equal(TITLE);
    expect(taken.metadata.generation).to.equal((generation ?? 0) + 1);
  });

  // Promise: contract 5.4
  it('name the program of the User-Agent if there is no fieldManager', async () => {
    const headers = { 'user-agent': 'kubectl/v1.32.0 (linux/amd64)' };
    const body = bodyOf(await folders.create(folder(freshName()), { headers }), 201);
    expect(managersOf(body)).to.have.all.keys('kubectl Update');
  });

  // Promise: contract 5.4
  it('name the program that writes by the legacy API', async () => {
    const name = freshName();
    await folders.create(folder(name), by('maker'));
    const headers = { 'user-agent': 'Mozilla/5.0 (X11)' };
    const answer = await server().call('PUT', `/api/folders/${name}`, {
      headers,
      body: { title: 'L', overwrite: true },
    });
    expect(answer.status, answer.text).to.equal(200);
    const body = await folders.read(name);
    expect(managersOf(body)['Mozilla Update']).to.deep.equal(TITLE);
  });

  // Promise: contract 5.4
  it('can be reset and rewritten by clients, without a new generation', async () => {
    const name = freshName();
    const body = bodyOf(await apply(name, folder(name)), 201);
    const reset = [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }];
    const none = bodyOf(await folders.jsonPatch(name, reset), 200);
    expect([managersOf(none), none.metadata.generation]).to.deep.equal([{}, 1]);
    const applied = bodyOf(await apply(name, folder(name), { manager: 'two' }), 200);
    expect(managersOf(applied)).to.have.all.keys('two Apply', 'before-first-apply Update');
    const { managedFields } = body.metadata as { readonly managedFields?: unknown };
    const rewritten = bodyOf(await folders.put(name, withMetadata(applied, { managedFields })), 200);
    expect(managersOf(rewritten)).to.have.all.keys('one Apply');
  });

  it('that cannot be read leave those of the object as they are', async () => {
    const name = freshName();
    const old = bodyOf(await apply(name, folder(name)), 201);
    for (const fieldsV1 of [{ spec: {} }, { 'f:spec': 1 }, { 'k:[]': {} }, { 'i:x': {} }]) {
      const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
      await changingNothing(server(), async () => {
        const sent = withMetadata(old, { managedFields: [entry] });
        expect(bodyOf(await folders.put(name, sent), 200)).to.deep.equal(old);
      });
    }
  });

  // Promise: contract 5.4
  it('keep the ten newest managers of updates, and merge the older ones', async () => {
    const name = freshName();
    await folders.make(name);
    for (let i = 0; i < 12; i++) {
      bodyOf(await folders.merge(name, { metadata: { labels: { [`l${i}`]: 'x' } } }, by(`manager-${i}`)), 200);
    }
    const managers = managersOf(await folders.read(name));
    expect(Object.keys(managers)).to.have.length(10).and.include('ancient-changes Update');
  });
});
