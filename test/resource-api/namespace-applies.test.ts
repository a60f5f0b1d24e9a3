import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { MERGE, NAMESPACES, namespace, namespacesOf, ORGANIZATIONS, organization } from './namespaces.js';

const managersOf = ({ metadata }: Body): readonly string[] =>
  (metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);

oneStore('applied namespaces', (server) => {
  const { call, stored, applied } = namespacesOf(server);

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
    bodyOf(await applied(organization(name, { title: 'Another' }), { fieldManager: 'two', force: true }), 200);
    expect((await stored(name)).spec).to.deep.equal({ title: 'Another' });
  });

  it('and organizations can be applied in turn by one manager, which keeps what it applied before', async () => {
    const name = freshName('ns');
    const spec = { title: `Title of ${name}`, address: { city: 'Bonn' } };
    bodyOf(await applied(organization(name, spec, { labels: { a: '1', b: '2' } })), 201);
    bodyOf(await applied(namespace(name, { labels: { a: '1' } })), 200);
    const after = await stored(name);
    expect(after.spec).to.deep.equal(spec);
    expect(after.metadata.labels).to.include({ a: '1' }).and.not.have.property('b');
    const other = { address: { city: 'Berlin' }, title: spec.title };
    bodyOf(await applied(organization(name, other, { labels: { a: '1' } })), 200);
    bodyOf(await changingNothing(server(), () => applied(namespace(name, { labels: { a: '1' } }))), 200);
    bodyOf(await applied(organization(name, { title: spec.title })), 200);
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
    bodyOf(await applied(organization(name, { title: name }, { labels: { a: '1' } })), 201);
    const refused = await applied(namespace(name, { labels: { a: '2' } }), { fieldManager: 'two' });
    expectStatus(refused, 409, 'Conflict', 'conflict with "one": .metadata.labels.a');
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
