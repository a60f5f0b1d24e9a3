import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { bytesField, text } from '../../pkg/kube/protobuf/encode.js';
import { expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const HOLDERS = [
  ['Secret', 'secrets', 'aGk='],
  ['ConfigMap', 'configmaps', 'hi'],
] as const;

const nested = (number: number, ...fields: readonly Uint8Array[]) => bytesField(number, Buffer.concat(fields));

interface List {
  readonly kind: string;
  readonly items: readonly { readonly metadata: { readonly name: string; readonly labels?: Record<string, string> } }[];
}

oneStore('the core group', (server) => {
  const list = async (path: string): Promise<List> => {
    const answer = await server().call('GET', path);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json() as unknown as List;
  };

  // Promise: contract 7
  it('gives each namespace the label with its name, which selectors can use', async () => {
    const label = 'kubernetes.io/metadata.name';
    const { items } = await list(`/api/v1/namespaces?labelSelector=${label}%3Ddefault`);
    expect(items.map(({ metadata }) => [metadata.name, metadata.labels?.[label]])).to.deep.equal([
      ['default', 'default'],
    ]);
    expect((await list(`/api/v1/namespaces?labelSelector=${label}%3Dnone`)).items).to.deep.equal([]);
    const { items: organizations } = await list('/apis/iam.svc.app/v1beta1/organizations');
    expect(JSON.stringify(organizations)).to.not.contain(label);
  });

  // Promise: contract 1.6, contract 6, contract 8
  it('has an empty list of services, in any namespace, and nobody can add one', async () => {
    for (const path of ['/api/v1/services', '/api/v1/namespaces/kube-system/services']) {
      const { kind, items } = await list(`${path}?labelSelector=kubernetes.io/cluster-service%3Dtrue`);
      expect([kind, items]).to.deep.equal(['ServiceList', []]);
    }
    const service = '/api/v1/namespaces/default/services';
    expectStatus(await server().call('GET', `${service}/kubernetes`), 404, 'NotFound', 'services "kubernetes"');
    const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: {} };
    const refused = await server().call('POST', service, { body });
    expectStatus(refused, 405, 'MethodNotAllowed', 'create is not supported on resources of kind "services"');
  });

  it('shows the compiled kinds as definitions, which nobody can change or delete', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { kind, items } = await list(definitions);
    expect(kind).to.equal('CustomResourceDefinitionList');
    expect(items.map(({ metadata }) => metadata.name)).to.include.members([
      'folders.folder.svc.app',
      'teams.iam.svc.app',
    ]);
    const accept = 'application/vnd.kubernetes.protobuf,application/json';
    expect((await server().call('GET', definitions, { headers: { accept } })).status).to.equal(200);
    const path = `${definitions}/folders.folder.svc.app`;
    const shown = 'the kind is built in, and its definition is only shown';
    expectStatus(await server().call('DELETE', path), 403, 'Forbidden', shown);
    const body = { spec: { conversion: { strategy: 'Webhook' } } };
    expectStatus(await server().call('PATCH', path, { body, headers: MERGE }), 422, 'Invalid', shown);
  });

  it('has only the labels and annotations that Kubernetes would set, because clients take others for a difference', async () => {
    const name = 'as-written';
    const metadata = { name, labels: { a: 'b' } };
    const at = '/api/v1/namespaces';
    const made = [
      [at, { apiVersion: 'v1', kind: 'Namespace', metadata }],
      [`${at}/default/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } }],
      [`${at}/default/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { a: 'b' } }],
    ] as const;
    for (const [path, body] of made) {
      await server().call('POST', path, { body });
      const patch = { metadata: { labels: { c: 'd' } }, ...('data' in body && { data: { a: 'c' } }) };
      const answer = await server().call('PATCH', `${path}/${name}`, { body: patch, headers: MERGE });
      const { metadata: shown } = answer.json() as unknown as KubeObject;
      const { 'kubernetes.io/metadata.name': _, ...labels } = shown.labels ?? {};
      expect([shown.annotations, labels], path).to.deep.equal([undefined, { a: 'b', c: 'd' }]);
    }
  });

  for (const [kind, resource, data] of HOLDERS) {
    // Promise: contract 1.6, contract 8
    it(`takes ${resource} in protobuf, as Go's typed clients send them`, async () => {
      const path = `/api/v1/namespaces/default/${resource}`;
      const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
      const typeMeta = nested(1, text(1)('v1'), text(2)(kind));
      const entry = nested(2, text(1)('password'), bytesField(2, Buffer.from([0x68, 0x69])));
      const raw = nested(2, nested(1, text(1)('by-protobuf')), entry);
      const body = Buffer.concat([Buffer.from('k8s\0'), typeMeta, raw]);
      const answer = await server().call('POST', path, { body, headers });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.json()).to.deep.include({ data: { password: data } });
    });
  }
});
