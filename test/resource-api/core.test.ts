import { expect } from 'chai';
import { expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

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
});
