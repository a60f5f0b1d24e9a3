import { expect } from 'chai';
import { accepted, bodyOf, changingNothing, expectStatus, freshName, withMetadata } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { folder, foldersOf, PARENT, parentOf } from './folders.js';

const JSON_UTF8 = 'application/json; charset=UTF-8';

oneStore('PUT of a folder', (server) => {
  const folders = foldersOf(server);
  /** Makes a folder, and returns its first version, which is stale. */
  const outdated = async () => {
    const old = await folders.make(freshName());
    const { metadata } = bodyOf(await folders.merge(old.metadata.name, { spec: { title: 'newer' } }), 200);
    return {
      old,
      name: old.metadata.name,
      stale: old.metadata.resourceVersion ?? '',
      newest: metadata.resourceVersion ?? '',
    };
  };

  it('with a stale version in a whole object answers 412 with a Status that client-go handles as conflict', async () => {
    const { old, name } = await outdated();
    const answer = await changingNothing(server(), () =>
      folders.put(name, old, { query: { fieldManager: 'kubectl' } }),
    );
    const { details } = expectStatus(
      answer,
      412,
      'Conflict',
      `Operation cannot be fulfilled on folders.folder.svc.app "${name}"`,
    );
    expect(details).to.include({ name, group: 'folder.svc.app', kind: 'folders' });
    expect(details.causes?.map(({ reason }) => reason)).to.deep.equal(['version-mismatch']);
    expect(answer.headers['content-type']).to.equal(JSON_UTF8);
  });

  it('with version 0 replaces any version, as in Kubernetes', async () => {
    const { name } = await outdated();
    const body = { metadata: { name, resourceVersion: '0' }, spec: { title: 'Any' } };
    expect(bodyOf(await folders.put(name, body), 200).spec).to.deep.equal({ title: 'Any' });
  });

  it('with a stale version in a body without kind answers 412 with message and status', async () => {
    const { name, stale } = await outdated();
    const body = { metadata: { name, resourceVersion: stale }, spec: { title: 'x' } };
    const answer = await changingNothing(server(), () => folders.put(name, body));
    const { message, ...rest } = bodyOf(answer, 412);
    expect(rest).to.deep.equal({ status: 'version-mismatch' });
    expect(message).to.be.a('string').and.not.equal('');
    expect(answer.headers['content-type']).to.equal(JSON_UTF8);
  });

  // Promise: specification 4.1
  it('with a stale If-Match answers 412 in the form for the caller', async () => {
    const { name, stale } = await outdated();
    const headers = { 'if-match': `"${stale}"` };
    await changingNothing(server(), async () => {
      const plain = bodyOf(await folders.put(name, folder(name), { headers }), 412);
      expect(plain.status).to.equal('version-mismatch');
      for (const query of [{ fieldManager: 'x' }, { fieldValidation: 'Strict' }]) {
        expectStatus(await folders.put(name, folder(name), { headers, query }), 412, 'Conflict');
      }
    });
  });

  // Promise: specification 4.1
  it('with the newest version, in the body or in If-Match, succeeds', async () => {
    const { name } = await outdated();
    const got = accepted(await folders.get(name), 200);
    const etag = String(got.headers['etag']);
    expect(etag).to.equal(`"${got.json().metadata.resourceVersion}"`);
    bodyOf(await folders.put(name, { ...got.json(), spec: { title: 'one' } }, { headers: { 'if-match': etag } }), 200);
  });

  it('is refused if either of two versions is stale', async () => {
    const { name, stale, newest } = await outdated();
    const object = withMetadata(folder(name) as never, { resourceVersion: newest });
    accepted(await folders.put(name, object, { headers: { 'if-match': `"${stale}"` } }), 412);
  });

  // Promise: contract 5.2, specification 4.1
  it('without a version, or with If-Match: *, always succeeds', async () => {
    const { name } = await outdated();
    bodyOf(await folders.put(name, folder(name, { title: 'last' })), 200);
    bodyOf(await folders.put(name, folder(name, { title: 'really last' }), { headers: { 'if-match': '*' } }), 200);
    expect((await folders.read(name)).spec).to.deep.equal({ title: 'really last' });
  });

  it('with an If-Match that is not an entity tag is refused', async () => {
    const { name } = await outdated();
    for (const tag of ['5', 'W/"5"', '"1", "2"', '"']) {
      const answer = await changingNothing(server(), () =>
        folders.put(name, folder(name), { headers: { 'if-match': tag } }),
      );
      expectStatus(answer, 400, 'BadRequest', 'If-Match');
    }
  });

  it('of an unknown folder answers 404, also with If-Match', async () => {
    const name = freshName();
    expectStatus(await folders.put(name, folder(name)), 404, 'NotFound');
    expectStatus(await folders.put(name, folder(name), { headers: { 'if-match': '*' } }), 404, 'NotFound');
  });

  it('with another namespace is refused', async () => {
    const { name } = await outdated();
    const answer = await changingNothing(server(), () =>
      folders.put(name, withMetadata(folder(name) as never, { namespace: 'other' })),
    );
    expectStatus(answer, 400, 'BadRequest', 'namespace of the provided object does not match');
  });

  it('with a whole object without parent moves the folder to the root', async () => {
    const top = freshName();
    const name = freshName();
    await folders.make(top);
    await folders.make(name, { parent: top });
    const body = bodyOf(await folders.put(name, folder(name)), 200);
    expect(parentOf(body)).to.equal(undefined);
    expect(body.metadata.generation, 'a move increments it').to.equal(2);
  });

  it('with a body without kind keeps an absent parent, and moves the folder to the root for an empty one', async () => {
    const top = freshName();
    const name = freshName();
    await folders.make(top);
    await folders.make(name, { parent: top });
    const kept = bodyOf(await folders.put(name, { spec: { title: 'renamed' } }), 200);
    expect(kept.spec).to.deep.equal({ title: 'renamed' });
    expect(parentOf(kept)).to.equal(top);
    const moved = await folders.put(name, { metadata: { annotations: { [PARENT]: '' } }, spec: { title: 'renamed' } });
    expect(parentOf(bodyOf(moved, 200))).to.equal(undefined);
  });

  it('with a body without kind and with another name is refused', async () => {
    const { name } = await outdated();
    const answer = await folders.put(name, { metadata: { name: 'other' }, spec: { title: 'x' } });
    expectStatus(answer, 400, 'BadRequest', 'does not match the name on the URL');
  });
});

oneStore('POST of a folder', (server) => {
  const folders = foldersOf(server);

  it('accepts a body without kind', async () => {
    const name = freshName();
    const body = bodyOf(await folders.create({ metadata: { name }, spec: { title: 'bare' } }), 201);
    expect(body).to.include({ kind: 'Folder', apiVersion: 'folder.svc.app/v1beta1' });
  });

  it('refuses a body with only one of kind and apiVersion, or with other values', async () => {
    const bodies: readonly (readonly [unknown, string])[] = [
      [{ kind: 'Folder', spec: { title: 'x' } }, 'API version in the data (none)'],
      [{ apiVersion: 'folder.svc.app/v1beta1', spec: { title: 'x' } }, 'the kind in the data (none)'],
      [{ ...(folder('x') as object), kind: 'Dashboard' }, 'the kind in the data (Dashboard)'],
      [{ ...(folder('x') as object), apiVersion: 'folder.svc.app/v1' }, 'API version in the data (folder.svc.app/v1)'],
    ];
    for (const [body, message] of bodies) {
      const answer = await changingNothing(server(), () => folders.create(body));
      expectStatus(answer, 400, 'BadRequest', message);
    }
  });

  // Promise: contract 1.6
  it('accepts YAML', async () => {
    const name = freshName();
    const body = `apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata:\n  name: ${name}\nspec:\n  title: "yes"\n`;
    const answer = await folders.create(body, { headers: { 'content-type': 'application/yaml' } });
    expect(bodyOf(answer, 201).spec).to.deep.equal({ title: 'yes' });
  });
});
