import { expect } from 'chai';
import { bytesField, text } from '../../pkg/kube/protobuf/encode.js';
import type { Body } from '../harness/body.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { NAME_LABEL, NAMESPACES, NUMBER, namespace, namespacesOf, ORGANIZATIONS, organization } from './namespaces.js';

const nested = (number: number, ...fields: readonly Uint8Array[]) => bytesField(number, Buffer.concat(fields));

oneStore('namespaces', (server) => {
  const { call, created, read, stored, patched, applied, titled } = namespacesOf(server);

  // Promise: contract 7
  it('are created as organizations, with their name as title', async () => {
    const name = freshName('ns');
    const body = await created(name, { labels: { team: 'ops' } }, { spec: {}, status: {} });
    expect(body).to.deep.include({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
    expect(body.metadata.labels).to.deep.equal({ team: 'ops', [NAME_LABEL]: name });
    expect(await read(name)).to.deep.equal(body);
    const { spec, metadata } = await stored(name);
    expect(spec).to.deep.equal({ title: name });
    expect(metadata.uid).to.equal(body.metadata.uid);
    expect(metadata.labels).to.deep.include({ team: 'ops' }).and.to.have.all.keys('team', NUMBER);
  });

  // Promise: contract 1.6
  it('are created by clients that send protobuf, as Helm does', async () => {
    const name = freshName('ns');
    const typeMeta = nested(1, text(1)('v1'), text(2)('Namespace'));
    const labels = nested(11, text(1)('name'), text(2)(name));
    const raw = nested(2, nested(1, text(1)(name), labels), nested(2), nested(3));
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    const body = Buffer.concat([Buffer.from('k8s\0'), typeMeta, raw]);
    const answer = bodyOf(await call('POST', NAMESPACES, { body, headers }), 201);
    expect(answer.metadata.labels).to.include({ name, [NAME_LABEL]: name });
    const again = await call('POST', NAMESPACES, { body, headers });
    expectStatus(again, 409, 'AlreadyExists', `namespaces "${name}" already exists`);
    const refused = Buffer.concat([
      Buffer.from('k8s\0'),
      typeMeta,
      nested(2, nested(1, text(1)(freshName('ns'))), nested(2, text(1)('example.com/x'))),
    ]);
    expectStatus(await call('POST', NAMESPACES, { body: refused, headers }), 422, 'Invalid', 'spec.finalizers');
  });

  it('get a generated name, and the label with it', async () => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'gen-' } };
    const { metadata } = bodyOf(await call('POST', NAMESPACES, { body }), 201);
    expect(metadata.name).to.match(/^gen-.{5}$/);
    expect(metadata.labels?.[NAME_LABEL]).to.equal(metadata.name);
    expect((await stored(metadata.name)).spec).to.deep.equal({ title: metadata.name });
  });

  // Promise: contract 7
  it('are refused if another organization has the name as its title, and the refusal says what to do', async () => {
    const taken = freshName('taken');
    bodyOf(
      await call('POST', ORGANIZATIONS, { body: organization(freshName('ns'), { title: taken.toUpperCase() }) }),
      201,
    );
    for (const refused of [
      await changingNothing(server(), () => call('POST', NAMESPACES, { body: namespace(taken) })),
      await changingNothing(server(), () => applied(namespace(taken))),
    ]) {
      const { details, message } = expectStatus(refused, 422, 'Invalid', `Namespace "${taken}" is invalid: spec.title`);
      expect(message).to.include('another organization has this title; a Namespace does not say this field');
      expect([details.kind, details.group]).to.deep.equal(['Namespace', '']);
      expect(details.causes?.map(({ reason, field }) => [reason, field])).to.deep.equal([
        ['FieldValueDuplicate', 'spec.title'],
      ]);
    }
  });

  it('may have names like those of the server, which then takes the next number', async () => {
    const { metadata } = bodyOf(
      await call('POST', ORGANIZATIONS, { body: organization('', { title: freshName('T') }) }),
      201,
    );
    const next = Number(metadata.labels?.[NUMBER]) + 1;
    await created(`org-${next + 1}`);
    const after = bodyOf(await call('POST', ORGANIZATIONS, { body: organization('', { title: freshName('T') }) }), 201);
    expect(after.metadata.name).to.equal(`org-${after.metadata.labels?.[NUMBER]}`);
    expect(after.metadata.name).to.not.equal(`org-${next + 1}`);
  });

  it('are deleted as organizations, by either name, with preconditions and dry runs', async () => {
    const { name } = await titled();
    const path = `${NAMESPACES}/${name}`;
    const { metadata } = await read(name);
    await changingNothing(server(), async () => {
      bodyOf(await call('DELETE', path, { query: { dryRun: 'All' } }), 200);
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } };
      const message = `Operation cannot be fulfilled on namespaces "${name}"`;
      expectStatus(await call('DELETE', path, { body }), 409, 'Conflict', message);
      const stale = namespace(name, { resourceVersion: '1' });
      expectStatus(await call('PUT', path, { body: stale }), 409, 'Conflict', message);
    });
    const { details } = bodyOf(await call('DELETE', path, { body: { preconditions: { uid: metadata.uid } } }), 200);
    expect(details).to.include({ name, kind: 'namespaces', uid: metadata.uid });
    expectStatus(await call('GET', `${ORGANIZATIONS}/${name}`), 404, 'NotFound');
    expectStatus(await call('DELETE', path), 404, 'NotFound', `namespaces "${name}" not found`);
  });

  // Promise: contract 7
  it('are emptied before they go, and take nothing new meanwhile', async () => {
    const name = freshName('ns');
    await created(name, { finalizers: ['example.com/hold'] });
    const teams = `/apis/iam.svc.app/v1beta1/namespaces/${name}/teams`;
    const team = (of: string) => ({
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'Team',
      metadata: { name: of },
      spec: { title: of },
    });
    bodyOf(await call('POST', teams, { body: team('one') }), 201);
    const going = bodyOf(await call('DELETE', `${NAMESPACES}/${name}`), 200);
    expect(going).to.deep.include({ kind: 'Namespace', status: { phase: 'Terminating' } });
    const refused = expectStatus(await call('POST', teams, { body: team('two') }), 403, 'Forbidden');
    expect(refused.details.causes?.map(({ reason }) => reason)).to.deep.equal(['NamespaceTerminating']);
    const again = await call('POST', NAMESPACES, { body: namespace(name) });
    expectStatus(again, 409, 'AlreadyExists', `object is being deleted: namespaces "${name}" already exists`);
    bodyOf(await patched(name, { metadata: { finalizers: null } }), 200);
    while ((await call('GET', `${NAMESPACES}/${name}`)).status === 200) await new Promise(setImmediate);
    expectStatus(await call('GET', `${ORGANIZATIONS}/${name}`), 404, 'NotFound');
  });

  // Promise: contract 7
  it('cannot be deleted if they are the first one, nor all in one request', async () => {
    await changingNothing(server(), async () => {
      const refused = await call('DELETE', `${NAMESPACES}/default`);
      const { details } = expectStatus(refused, 403, 'Forbidden', 'namespaces "default" is forbidden');
      expect(details).to.include({ name: 'default', kind: 'namespaces', group: '' });
      expectStatus(await call('DELETE', NAMESPACES), 405, 'MethodNotAllowed', 'deletecollection is not supported');
    });
  });

  it('are seen by watches of both kinds, whoever writes them', async () => {
    const watches = await Promise.all(
      [NAMESPACES, ORGANIZATIONS].map(async (path) => {
        const { metadata } = bodyOf(await call('GET', path), 200);
        return (await call('GET', path, { query: { watch: true, resourceVersion: metadata.resourceVersion } })).frames;
      }),
    );
    const name = freshName('ns');
    await created(name);
    bodyOf(await call('DELETE', `${ORGANIZATIONS}/${name}`), 200);
    for (const [index, frames] of watches.entries()) {
      const events = await frames.until(({ type }) => type === 'DELETED');
      await frames.close();
      const kind = index === 0 ? 'Namespace' : 'Organization';
      expect(events.map(({ type, object }) => [type, (object as unknown as Body).kind])).to.deep.equal([
        ['ADDED', kind],
        ['DELETED', kind],
      ]);
    }
  });

  it('are described as what can be written, without deletecollection', async () => {
    const { resources } = bodyOf(await call('GET', '/api/v1'), 200) as unknown as {
      readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
    };
    expect(Object.fromEntries(resources.map(({ name, verbs }) => [name, verbs]))).to.deep.include({
      namespaces: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      'namespaces/status': ['get'],
    });
    const { paths } = bodyOf(await call('GET', '/openapi/v3/api/v1'), 200) as unknown as {
      readonly paths: Readonly<Record<string, object>>;
    };
    expect(Object.keys(paths['/api/v1/namespaces/'] ?? paths[NAMESPACES] ?? {})).to.include.members(['get', 'post']);
    expect(Object.keys(paths[NAMESPACES] ?? {})).to.not.include('delete');
  });
});
