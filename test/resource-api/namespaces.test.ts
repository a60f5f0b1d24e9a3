import { expect } from 'chai';
import { bytesField, text } from '../../pkg/protobuf/encode.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const NAMESPACES = '/api/v1/namespaces';
const ORGANIZATIONS = '/apis/iam.svc.app/v1beta1/organizations';
const NAME_LABEL = 'kubernetes.io/metadata.name';
const NUMBER = 'svc.app/deprecatedInternalID';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

const namespace = (name: string, metadata: object = {}, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
  ...more,
});
const organization = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'iam.svc.app/v1beta1',
  kind: 'Organization',
  metadata: { name, ...metadata },
  spec,
});

const nested = (number: number, ...fields: readonly Uint8Array[]) => bytesField(number, Buffer.concat(fields));

oneStore('namespaces', (server) => {
  const call = async (method: string, path: string, options: object = {}): Promise<Answer> =>
    server().call(method, path, options);
  const created = async (name: string, metadata: object = {}, more: object = {}): Promise<Body> =>
    bodyOf(await call('POST', NAMESPACES, { body: namespace(name, metadata, more) }), 201);
  const read = async (name: string): Promise<Body> => bodyOf(await call('GET', `${NAMESPACES}/${name}`), 200);
  const stored = async (name: string): Promise<Body> => bodyOf(await call('GET', `${ORGANIZATIONS}/${name}`), 200);
  const patched = async (name: string, body: unknown, headers: object = MERGE): Promise<Answer> =>
    call('PATCH', `${NAMESPACES}/${name}`, { body, headers });
  const applied = async (body: ReturnType<typeof namespace>, query: object = {}): Promise<Answer> => {
    const path = body.kind === 'Namespace' ? NAMESPACES : ORGANIZATIONS;
    const options = { body, headers: APPLY, query: { fieldManager: 'one', ...query } };
    return call('PATCH', `${path}/${body.metadata.name}`, options);
  };
  /** An organization with a title and an address of its own. */
  const titled = async (): Promise<{ readonly name: string; readonly spec: object }> => {
    const name = freshName('ns');
    const spec = { title: `Title of ${name}`, address: { city: 'Bonn' } };
    bodyOf(await call('POST', ORGANIZATIONS, { body: organization(name, spec) }), 201);
    return { name, spec };
  };
  const managersOf = ({ metadata }: Body): readonly string[] =>
    (metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);

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

  it('keep the title and the address of the organization in every write', async () => {
    const { name, spec } = await titled();
    const labels = (n: number) => ({ labels: { n: String(n) } });
    const writes = [
      () => call('PUT', `${NAMESPACES}/${name}`, { body: namespace(name, labels(1)) }),
      () => patched(name, { metadata: labels(2) }),
      () => patched(name, { metadata: labels(3), spec: null }, STRATEGIC),
      () => patched(name, [{ op: 'replace', path: '/metadata/labels/n', value: '4' }], JSON_PATCH),
      () => applied(namespace(name, labels(5)), { force: true }),
    ];
    for (const [index, write] of writes.entries()) {
      bodyOf(await write(), 200);
      const after = await stored(name);
      expect([after.spec, after.metadata.labels?.['n']]).to.deep.equal([spec, String(index + 1)]);
      expect(after.metadata.generation).to.equal(1);
    }
  });

  it('share labels, annotations and finalizers with the organization, in both directions', async () => {
    const { name } = await titled();
    const metadata = { labels: { a: '1' }, annotations: { b: '2' }, finalizers: ['example.com/hold'] };
    bodyOf(await patched(name, { metadata }), 200);
    expect((await stored(name)).metadata).to.deep.include({ finalizers: metadata.finalizers });
    expect((await stored(name)).metadata.annotations).to.include(metadata.annotations);
    const options = { body: { metadata: { labels: { a: null, c: '3' }, finalizers: null } }, headers: MERGE };
    bodyOf(await call('PATCH', `${ORGANIZATIONS}/${name}`, options), 200);
    const after = (await read(name)).metadata;
    expect(after.labels).to.include({ c: '3' }).and.not.have.property('a');
    expect(after).to.not.have.property('finalizers');
  });

  it('merge finalizers of strategic patches, as kubectl sends them', async () => {
    const { name } = await titled();
    for (const finalizers of [['example.com/a'], ['example.com/b']])
      bodyOf(await patched(name, { metadata: { finalizers } }, STRATEGIC), 200);
    expect((await stored(name)).metadata).to.deep.include({ finalizers: ['example.com/b', 'example.com/a'] });
    bodyOf(await patched(name, { metadata: { finalizers: null } }), 200);
  });

  it('show their name as a label that nobody stores, changes or manages', async () => {
    const name = freshName('ns');
    const body = await created(name, { labels: { [NAME_LABEL]: name } });
    const again = () => call('PUT', `${NAMESPACES}/${name}`, { body });
    expect(bodyOf(await changingNothing(server(), again), 200)).to.deep.equal(body);
    const writes = [
      () => patched(name, { metadata: { labels: { [NAME_LABEL]: null } } }),
      () => patched(name, { metadata: { labels: null } }, STRATEGIC),
      () => patched(name, [{ op: 'remove', path: '/metadata/labels/kubernetes.io~1metadata.name' }], JSON_PATCH),
      () => call('PUT', `${NAMESPACES}/${name}`, { body: namespace(name) }),
    ];
    for (const write of writes) {
      const answer = await changingNothing(server(), write);
      expect(answer.headers).to.not.have.property('warning');
      expect(bodyOf(answer, 200)).to.deep.equal(body);
    }
    const apply = () => applied(namespace(name, { labels: { a: '1', [NAME_LABEL]: name } }));
    const after = bodyOf(await apply(), 200);
    expect(bodyOf(await changingNothing(server(), apply), 200)).to.deep.equal(after);
    expect(JSON.stringify([after.metadata.managedFields, await stored(name)])).to.not.include(NAME_LABEL);
  });

  it('overwrite another value of this label, as Kubernetes does, and warn of it', async () => {
    const name = freshName('ns');
    const labels = { [NAME_LABEL]: 'other' };
    const warning = `metadata.labels[${NAME_LABEL}]: the server sets this label`;
    const writes = [
      () => call('POST', NAMESPACES, { body: namespace(name, { labels }) }),
      () => patched(name, { metadata: { labels } }),
      () => call('PUT', `${NAMESPACES}/${name}`, { body: namespace(name, { labels }) }),
      () => applied(namespace(name, { labels })),
    ];
    for (const write of writes) {
      const answer = await write();
      expect(answer.status, answer.text).to.be.oneOf([200, 201]);
      expect(answer.json().metadata.labels).to.include({ [NAME_LABEL]: name });
      expect(String(answer.headers['warning'])).to.include(warning);
    }
  });

  it('have no other finalizers in their spec, and say where those belong', async () => {
    const { name } = await titled();
    const spec = { finalizers: ['kubernetes', 'example.com/x'] };
    for (const write of [
      () => call('POST', NAMESPACES, { body: namespace(freshName('ns'), {}, { spec }) }),
      () => call('PUT', `${NAMESPACES}/${name}`, { body: namespace(name, {}, { spec }) }),
      () => patched(name, { spec }),
      () => patched(name, [{ op: 'add', path: '/spec/finalizers/-', value: 'example.com/x' }], JSON_PATCH),
      () => applied(namespace(name, {}, { spec })),
    ])
      expectStatus(await changingNothing(server(), write), 422, 'Invalid', 'belong in metadata.finalizers');
    const none = await changingNothing(server(), () => patched(name, { spec: { finalizers: [] } }));
    expect(bodyOf(none, 200).spec).to.deep.equal({ finalizers: ['kubernetes'] });
    expect(String(none.headers['warning'])).to.include('spec.finalizers: the server sets it');
  });

  it('keep their status, whatever a write says, and have no subresource finalize', async () => {
    const { name } = await titled();
    const status = { phase: 'Terminating' };
    await changingNothing(server(), async () => {
      expect(bodyOf(await patched(name, { status }), 200)).to.deep.include({ status: { phase: 'Active' } });
      const body = namespace(name, {}, { status });
      expect(bodyOf(await call('PUT', `${NAMESPACES}/${name}`, { body }), 200)).to.deep.include({
        status: { phase: 'Active' },
      });
      expect((await call('PUT', `${NAMESPACES}/${name}/status`, { body })).status).to.equal(405);
      expect((await call('PUT', `${NAMESPACES}/${name}/finalize`, { body })).status).to.equal(404);
    });
  });

  it('are applied without managing the title, which others may then change', async () => {
    const name = freshName('ns');
    const config = namespace(name, { labels: { app: 'a' } });
    const first = bodyOf(await applied(config), 201);
    expect(managersOf(first)).to.deep.equal(['one Apply']);
    expect(JSON.stringify(first.metadata.managedFields)).to.not.include('f:title');
    const title = `Title of ${name}`;
    bodyOf(await call('PATCH', `${ORGANIZATIONS}/${name}`, { body: { spec: { title } }, headers: MERGE }), 200);
    expect(bodyOf(await changingNothing(server(), () => applied(config)), 200).metadata.labels).to.include({
      app: 'a',
    });
    bodyOf(await applied(organization(name, { title: 'Another' }) as never, { fieldManager: 'two', force: true }), 200);
    expect((await stored(name)).spec).to.deep.equal({ title: 'Another' });
  });

  it('and organizations are applied one after the other by one manager, which keeps what it said before', async () => {
    const name = freshName('ns');
    const spec = { title: `Title of ${name}`, address: { city: 'Bonn' } };
    bodyOf(await applied(organization(name, spec, { labels: { a: '1', b: '2' } }) as never), 201);
    bodyOf(await applied(namespace(name, { labels: { a: '1' } })), 200);
    const after = await stored(name);
    expect(after.spec).to.deep.equal(spec);
    expect(after.metadata.labels).to.include({ a: '1' }).and.not.have.property('b');
    const other = { address: { city: 'Berlin' }, title: spec.title };
    bodyOf(await applied(organization(name, other, { labels: { a: '1' } }) as never), 200);
    bodyOf(await changingNothing(server(), () => applied(namespace(name, { labels: { a: '1' } }))), 200);
    bodyOf(await applied(organization(name, { title: spec.title }) as never), 200);
    expect((await stored(name)).spec, 'what an Organization leaves out is removed').to.deep.equal({
      title: spec.title,
    });
  });

  it('are taken over from a client-side apply, and keep its annotation in the form of a Namespace', async () => {
    const name = freshName('ns');
    const config = namespace(name, { labels: { a: '1' } });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(config)}\n` };
    const query = { fieldManager: 'kubectl-client-side-apply' };
    const body = namespace(name, { labels: { a: '1' }, annotations });
    bodyOf(await call('POST', NAMESPACES, { body, query }), 201);
    const next = namespace(name, { labels: { a: '2' } });
    const after = bodyOf(await applied(next, { fieldManager: 'kubectl' }), 200);
    const [last = ''] = Object.values(after.metadata.annotations ?? {}).filter((value) => value.startsWith('{'));
    expect(JSON.parse(last)).to.deep.include({ apiVersion: 'v1', kind: 'Namespace' });
    expect(JSON.parse(last).metadata.labels).to.deep.equal({ a: '2' });
  });

  it('conflict with the managers of the organization', async () => {
    const name = freshName('ns');
    bodyOf(await applied(organization(name, { title: name }, { labels: { a: '1' } }) as never), 201);
    const refused = await applied(namespace(name, { labels: { a: '2' } }), { fieldManager: 'two' });
    expectStatus(refused, 409, 'Conflict', 'conflict with "one": .metadata.labels.a');
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

  it('are applied together with what lies in them, and are in the plan as organizations', async () => {
    const name = freshName('ns');
    const folder = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name: 'f', namespace: name },
      spec: { title: 'F' },
    };
    const path = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets/with-namespace/apply';
    const request = (...objects: readonly object[]) => ({
      body: { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplyRequest', spec: { objects } },
    });
    const applying = request(folder, namespace(name, { labels: { a: '1' } }));
    const { status } = bodyOf(await call('POST', path, applying), 201) as unknown as {
      readonly status: { readonly plan: readonly { readonly kind: string; readonly action: string }[] };
    };
    expect(status.plan.map(({ kind, action }) => `${kind} ${action}`)).to.deep.equal([
      'Folder created',
      'Organization created',
    ]);
    expect((await stored(name)).spec).to.deep.equal({ title: name });
    await changingNothing(server(), async () => bodyOf(await call('POST', path, applying), 200));
    const twice = request(namespace(name), organization(name, { title: name }));
    expectStatus(await call('POST', path, twice), 400, 'BadRequest', 'the same object as spec.objects[0]');
    const wrong = request(namespace(name, {}, { spec: { finalizers: ['example.com/x'] } }));
    expectStatus(await call('POST', path, wrong), 422, 'Invalid', `spec.objects[0] (Namespace "${name}"): `);
  });
});
