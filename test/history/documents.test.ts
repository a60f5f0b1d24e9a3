import { expect } from 'chai';
import { bodyOf, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

interface Documented {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly verbs: readonly string[] }[];
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly { name: string }[] }>>>
  >;
}

oneStore('history and restore in the documents of the API', (server) => {
  const read = async <T>(path: string): Promise<T> => bodyOf(await server().call('GET', path), 200) as unknown as T;

  it('are found by discovery, for the kinds that have them', async () => {
    const { resources } = await read<Documented>('/apis/folder.svc.app/v1beta1');
    expect(resources.map(({ name, kind, verbs }) => [name, kind, verbs.length])).to.deep.include.members([
      ['folders/history', 'History', 1],
      ['folders/restore', 'Restore', 1],
    ]);
    const teams = (await read<Documented>('/apis/iam.svc.app/v1beta1')).resources.map(({ name }) => name);
    expect(teams).to.include('teams').and.not.include('teams/history');
    const groups = await read<{ groups: readonly { name: string }[] }>('/apis');
    expect(groups.groups.map(({ name }) => name)).not.to.include('internal.svc.app');
  });

  it('are described by OpenAPI, with the parameters of a page', async () => {
    const { paths } = await read<Document>('/openapi/v3/apis/dashboard.svc.app/v1beta1');
    const item = '/apis/dashboard.svc.app/v1beta1/namespaces/{namespace}/dashboards/{name}';
    const { get } = paths[`${item}/history`] ?? {};
    expect(get?.parameters?.map(({ name }) => name)).to.include.members(['version', 'limit', 'continue']);
    expect(paths[`${item}/restore`]).to.have.property('post');
  });

  it('are not there for kinds without a past, and for other methods', async () => {
    const teams = '/apis/iam.svc.app/v1beta1/namespaces/default/teams/a';
    expectStatus(await server().call('GET', `${teams}/history`), 404, 'NotFound');
    const folder = '/apis/folder.svc.app/v1beta1/namespaces/default/folders/a';
    expectStatus(await server().call('POST', `${folder}/history`, { body: {} }), 405, 'MethodNotAllowed');
    expectStatus(await server().call('GET', `${folder}/restore`), 405, 'MethodNotAllowed');
  });

  it('refuse wrong parameters', async () => {
    const history = '/apis/folder.svc.app/v1beta1/namespaces/default/folders/a/history';
    for (const query of ['version=x', 'limit=x', 'continue=x', 'version=1&continue=x'])
      expectStatus(await server().call('GET', `${history}?${query}`), 400, 'BadRequest');
  });
});
