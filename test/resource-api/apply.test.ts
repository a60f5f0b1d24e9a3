import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, FOLDERS, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { applyAt, expectConflicts, managersOf } from './apply.js';
import { foldersOf } from './folders.js';

const VERSION = 'folder.svc.app/v1beta1';

oneStore('server-side apply of a folder', (server) => {
  const folders = foldersOf(server);
  const apply = applyAt(server, '/apis/folder.svc.app/v1beta1/namespaces/default/folders');
  const folder = (name: string, spec: object, labels?: object) => ({
    apiVersion: FOLDERS.apiVersion,
    kind: 'Folder',
    metadata: { name, ...(labels && { labels }) },
    spec,
  });

  // Promise: contract 5.3
  it('creates the object with 201, and its fields belong to the manager', async () => {
    const name = freshName();
    const body = bodyOf(await apply(name, folder(name, { title: 'A' }, { team: 'x' })), 201);
    expect(body.metadata.annotations).to.have.property('svc.app/createdBy');
    expect(managersOf(body)).to.deep.equal({
      'one Apply': { 'f:metadata': { 'f:labels': { 'f:team': {} } }, 'f:spec': { 'f:title': {} } },
    });
  });

  // Promise: contract 5.3
  it('reads YAML', async () => {
    const name = freshName();
    const yaml = `apiVersion: ${VERSION}\nkind: Folder\nmetadata: {name: ${name}}\nspec:\n  title: "Y"\n`;
    expect(bodyOf(await apply(name, yaml), 201).spec).to.deep.equal({ title: 'Y' });
  });

  // Promise: contract 5.4
  it('of the same configuration writes nothing', async () => {
    const name = freshName();
    const body = bodyOf(await apply(name, folder(name, { title: 'A' })), 201);
    await changingNothing(server(), async () => {
      expect(bodyOf(await apply(name, folder(name, { title: 'A' })), 200)).to.deep.equal(body);
    });
  });

  it('refuses a list or a text where the kind has an object, and an object where it has a list', async () => {
    const name = freshName();
    const good = folder(name, { title: 'A' });
    const wrong: readonly (readonly [object, string])[] = [
      [{ ...good, spec: [{ title: 'B' }] }, '.spec: expected map, got list'],
      [{ ...good, spec: 'title' }, '.spec: expected map, got string'],
      [{ ...good, metadata: { name, labels: ['a'] } }, '.metadata.labels: expected map, got list'],
      [{ ...good, metadata: { name, finalizers: { a: 1 } } }, '.metadata.finalizers: expected list, got map'],
    ];
    for (const isThere of [false, true]) {
      if (isThere) bodyOf(await apply(name, good), 201);
      for (const [body, why] of wrong)
        for (const fieldValidation of ['Ignore', 'Strict'])
          expectStatus(await apply(name, body, { query: { fieldValidation, force: true } }), 400, 'BadRequest', why);
    }
  });

  // Promise: contract 5.4
  it('removes what the manager applied before, and keeps what others own', async () => {
    const name = freshName();
    await apply(name, folder(name, { title: 'A', description: 'B' }, { mine: 'x', shared: 'y' }));
    bodyOf(await apply(name, folder(name, { title: 'A' }, { shared: 'y' }), { manager: 'two' }), 200);
    const body = bodyOf(await apply(name, folder(name, { title: 'A' })), 200);
    expect(body.spec).to.deep.equal({ title: 'A' });
    expect(body.metadata.labels).to.include({ shared: 'y' }).and.not.have.property('mine');
    expect(body.metadata.generation).to.equal(2);
  });

  // Promise: contract 5.4
  it('of other values is a conflict with the managers that own them, unless it is forced', async () => {
    const name = freshName();
    await apply(name, folder(name, { title: 'A' }));
    const other = folder(name, { title: 'B' }, { x: 'y' });
    await changingNothing(server(), async () => {
      expectConflicts(
        await apply(name, other, { manager: 'two' }),
        'Apply failed with 1 conflict: conflict with "one": .spec.title',
        ['.spec.title'],
      );
    });
    const forced = bodyOf(await apply(name, other, { manager: 'two', query: { force: true } }), 200);
    expect(forced.spec).to.deep.equal({ title: 'B' });
    expect(managersOf(forced)).to.have.all.keys('two Apply');
  });

  // Promise: contract 5.4
  it('names the managers of updates with their version', async () => {
    const name = freshName();
    const made = folder(name, { title: 'A', description: 'B' });
    bodyOf(await folders.create(made, { query: { fieldManager: 'maker' } }), 201);
    const message = `Apply failed with 2 conflicts: conflicts with "maker" using ${VERSION}:\n- .spec.description\n- .spec.title`;
    const fields = ['.spec.description', '.spec.title'];
    expectConflicts(await apply(name, folder(name, { title: 'C', description: 'D' })), message, fields);
  });

  // Promise: contract 5.4
  it('in a dry run stores nothing, and an object that would be new has no resourceVersion', async () => {
    const name = freshName();
    const query = { dryRun: 'All' };
    const { metadata } = bodyOf(await apply(name, folder(name, { title: 'A' }), { query }), 201);
    expect([metadata.resourceVersion, typeof metadata.uid]).to.deep.equal([undefined, 'string']);
    expect((await folders.get(name)).status).to.equal(404);
    const body = bodyOf(await apply(name, folder(name, { title: 'A' })), 201);
    const changed = bodyOf(await apply(name, folder(name, { title: 'B' }), { query }), 200);
    expect([changed.spec, changed.metadata.resourceVersion]).to.deep.equal([
      { title: 'B' },
      body.metadata.resourceVersion,
    ]);
    expect((await folders.read(name)).spec).to.deep.equal({ title: 'A' });
  });

  // Promise: contract 5.3, contract 5.4
  it('needs a manager, and takes no managedFields', async () => {
    const name = freshName();
    const none = await server().call('PATCH', folders.path(name), {
      body: folder(name, { title: 'A' }),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
    expectStatus(none, 422, 'Invalid', 'fieldManager: Required value: is required for apply patch');
    const body = folder(name, { title: 'A' });
    const managed = { ...body, metadata: { name, managedFields: [] } };
    expectStatus(await apply(name, managed), 400, 'BadRequest', 'metadata.managedFields must be nil');
    expect((await folders.get(name)).status).to.equal(404);
  });

  // Promise: contract 5.1, contract 5.4
  it('refuses another name, another version, and an unknown field with Strict', async () => {
    const name = freshName();
    const body = folder(name, { title: 'A' });
    const query = { fieldValidation: 'Strict' };
    expectStatus(await apply(name, folder('other', {})), 400, 'BadRequest');
    expectStatus(await apply(name, { ...body, apiVersion: 'folder.svc.app/v9' }), 400, 'BadRequest');
    const unknown = folder(name, { title: 'A', colour: 'red' });
    const message = '.spec.colour: field not declared in schema';
    expectStatus(await apply(name, unknown, { query }), 400, 'BadRequest', message);
    const warned = await apply(name, unknown);
    expect(bodyOf(warned, 201).spec).to.deep.equal({ title: 'A' });
    expect(String(warned.headers['warning'])).to.contain('unknown field');
  });

  // Promise: contract 5.4
  it('uses resourceVersion and uid as preconditions', async () => {
    const name = freshName();
    const { metadata } = await folders.make(name);
    const body = folder(name, { title: name });
    const stale = { ...body, metadata: { name, resourceVersion: '1' } };
    expectStatus(await apply(name, stale), 409, 'Conflict');
    const known = { ...body, metadata: { name, resourceVersion: metadata.resourceVersion, uid: metadata.uid } };
    expect((await apply(name, known)).status).to.equal(200);
    const absent = freshName();
    const gone = { ...folder(absent, { title: 'A' }), metadata: { name: absent, uid: 'former' } };
    expectStatus(await apply(absent, gone), 409, 'Conflict', 'uid mismatch');
  });

  // Promise: contract 5.4
  it('leaves the annotations of the server to the server', async () => {
    const name = freshName();
    const { metadata } = bodyOf(await apply(name, folder(name, { title: 'A' })), 201);
    const annotations = { ...metadata.annotations, 'svc.app/createdBy': 'me', note: 'x' };
    const body = { ...folder(name, { title: 'A' }), metadata: { name, annotations } };
    const changed = bodyOf(await apply(name, body), 200);
    expect(changed.metadata.annotations?.['svc.app/createdBy']).to.equal(metadata.annotations?.['svc.app/createdBy']);
    expect(managersOf(changed)['one Apply']).to.deep.equal({
      'f:metadata': { 'f:annotations': { 'f:note': {} } },
      'f:spec': { 'f:title': {} },
    });
  });
});
