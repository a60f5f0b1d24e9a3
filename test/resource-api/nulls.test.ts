import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import { accepted, freshName } from '../harness/resource.js';
import { eachStore, oneStore } from '../harness/stores.js';

const CORE = '/api/v1/namespaces/default';
const APPLY = 'application/apply-patch+yaml';

type Object = Readonly<Record<string, unknown>> & {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
};

const shown = (answer: Answer): Object => answer.json() as unknown as Object;

/** A map of texts as it is stored after each way to write it with a null. */
eachStore('a null in a map of texts', (server) => {
  const configMap = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: freshName() }, data });
  const at = (name: string): string => `${CORE}/configmaps/${name}`;
  const patch = (name: string, body: unknown, type: string, query = {}) =>
    server().call('PATCH', at(name), { body, headers: { 'content-type': type }, query });

  it('is an empty text, by create, replace, JSON patch and apply', async () => {
    const object = configMap({ EMPTY: null, FULL: 'v' });
    const { name } = object.metadata;
    const both = { EMPTY: '', FULL: 'v' };
    const made = await server().call('POST', `${CORE}/configmaps`, { body: object });
    expect(shown(accepted(made, 201))['data'], 'create').to.deep.equal(both);
    const put = await server().call('PUT', at(name), { body: { ...object, data: { EMPTY: null, OTHER: null } } });
    expect(shown(accepted(put, 200))['data'], 'replace').to.deep.equal({ EMPTY: '', OTHER: '' });
    const added = [{ op: 'add', path: '/data/ADDED', value: null }];
    const patched = await patch(name, added, 'application/json-patch+json');
    expect(shown(accepted(patched, 200))['data'], 'JSON patch').to.deep.include({ ADDED: '' });
    const query = { fieldManager: 'one', force: 'true' };
    const applied = await patch(name, { ...object, data: { EMPTY: null, NEW: null } }, APPLY, query);
    expect(shown(accepted(applied, 200))['data'], 'apply').to.deep.include({ EMPTY: '', NEW: '' });
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}2\ndata:\n  EMPTY:\n  FULL: v\n`;
    expect(shown(accepted(await patch(`${name}2`, text, APPLY, query), 201))['data'], 'YAML').to.deep.equal(both);
    expect(shown(await server().call('GET', at(`${name}2`)))['data']).to.deep.equal(both);
  });

  it('deletes the key in a merge patch and in a strategic one', async () => {
    for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
      const object = configMap({ GONE: 'x', FULL: 'v' });
      accepted(await server().call('POST', `${CORE}/configmaps`, { body: object }), 201);
      const patched = await patch(object.metadata.name, { data: { GONE: null } }, type);
      expect(shown(accepted(patched, 200))['data'], type).to.deep.equal({ FULL: 'v' });
    }
  });
});

oneStore('a null in a body', (server) => {
  const post = (path: string, body: object) => server().call('POST', path, { body });
  const created = async (path: string, body: object): Promise<Object> => shown(accepted(await post(path, body), 201));

  // Promise: contract 5.1
  it('is an empty value in every map of bytes and texts', async () => {
    const metadata = { name: freshName(), labels: { a: null }, annotations: { b: null } };
    const map = await created(`${CORE}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      binaryData: { k: null },
    });
    expect(map['binaryData']).to.deep.equal({ k: '' });
    expect(map.metadata).to.deep.include({ labels: { a: '' }, annotations: { b: '' } });
    const body = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      data: { a: null, b: null },
      stringData: { b: 'x', c: null },
    };
    const secret = await created(`${CORE}/secrets`, body);
    expect(secret['data']).to.deep.equal({ a: '', b: 'eA==', c: '' });
  });

  it('is a member that is not set, at every level of Kubernetes’ own kinds', async () => {
    const at = (kind: string, group: string) => ({ apiVersion: group, kind, metadata: { name: freshName() } });
    const namespaces = '/api/v1/namespaces';
    await created(namespaces, { ...at('Namespace', 'v1'), spec: null, status: null });
    await created(namespaces, { ...at('Namespace', 'v1'), spec: { finalizers: null } });
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    await created(leases, { ...at('Lease', 'coordination.k8s.io/v1'), spec: null });
    const lease = { holderIdentity: null, leaseDurationSeconds: null, acquireTime: null };
    expect((await created(leases, { ...at('Lease', 'coordination.k8s.io/v1'), spec: lease }))['spec']).to.deep.equal(
      {},
    );
    const event = {
      involvedObject: { kind: null, namespace: 'default' },
      firstTimestamp: null,
      series: null,
      count: null,
    };
    await created(`${CORE}/events`, {
      ...at('Event', 'v1'),
      ...event,
      reason: null,
      metadata: { name: freshName(), labels: null },
    });
    const secret = { ...at('Secret', 'v1'), data: null, stringData: null, type: null, immutable: null };
    expect((await created(`${CORE}/secrets`, secret))['type']).to.equal('Opaque');
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'a.b.c' },
    };
    const refused = await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      ...definition,
      spec: null,
    });
    expect([refused.status, refused.text.includes('spec: Required value')], refused.text).to.deep.equal([422, true]);
  });

  // Promise: contract 5.1
  it('is not set in reviews, and the same question as one without it', async () => {
    const authorization = '/apis/authorization.k8s.io/v1';
    const attributes = { namespace: null, verb: 'get', group: null, version: null, resource: 'configmaps', name: null };
    const self = { spec: { resourceAttributes: attributes, nonResourceAttributes: null } };
    await created(`${authorization}/selfsubjectaccessreviews`, self);
    await created(`${authorization}/selfsubjectrulesreviews`, { spec: { namespace: null } });
    const about = { ...self.spec, user: 'admin', uid: null, groups: null, extra: { a: null, b: ['x', null] } };
    await created(`${authorization}/subjectaccessreviews`, { spec: about });
    const empty = await post(`${authorization}/subjectaccessreviews`, { spec: null });
    expect(empty.status, empty.text).to.equal(422);
  });

  it('in a list is an empty item, which the rules of the kind judge', async () => {
    const metadata = { name: freshName(), finalizers: [null] };
    const answer = await post(`${CORE}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    expect(answer.status, answer.text).to.equal(422);
    expect(answer.text).to.include('metadata.finalizers');
  });
});
