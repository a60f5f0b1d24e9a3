import { expect } from 'chai';
import { jsonOf, requestFor, send } from '../../pkg/http/negotiation/testing.js';
import { routes, V2, VERBS } from './testing/resources.js';

describe('legacy discovery', () => {
  // Promise: contract 1.1
  it('lists groups on /apis for clients that accept plain JSON or send no Accept header', async () => {
    const group = (name: string, version: string): unknown => {
      const described = { groupVersion: `${name}/${version}`, version };
      return { name, versions: [described], preferredVersion: described };
    };
    for (const headers of [{}, { accept: '*/*' }, { accept: `application/json, ${V2};q=0.5` }]) {
      const response = await send(routes(), requestFor('/apis', headers as Record<string, string>));
      expect(response.headers['content-type']).to.equal('application/json');
      expect(jsonOf(response)).to.deep.equal({
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: [
          group('folder.svc.app', 'v1beta1'),
          group('authentication.k8s.io', 'v1'),
          group('iam.svc.app', 'v1beta1'),
        ],
      });
    }
  });

  // Promise: contract 1.1
  it('answers APIVersions on /api', async () => {
    expect(jsonOf(await send(routes(), requestFor('/api')))).to.deep.equal({
      kind: 'APIVersions',
      versions: [],
      serverAddressByClientCIDRs: [],
    });
  });

  // Promise: contract 1.1
  it('describes one group', async () => {
    expect(jsonOf(await send(routes(), requestFor('/apis/folder.svc.app')))).to.deep.equal({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'folder.svc.app',
      versions: [{ groupVersion: 'folder.svc.app/v1beta1', version: 'v1beta1' }],
      preferredVersion: { groupVersion: 'folder.svc.app/v1beta1', version: 'v1beta1' },
    });
  });

  // Promise: contract 1.1
  it('lists the resources and subresources of one group version', async () => {
    const list = jsonOf(await send(routes(), requestFor('/apis/iam.svc.app/v1beta1'))) as { resources: unknown[] };
    expect(list).to.deep.include({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'iam.svc.app/v1beta1' });
    const [teams, ...below] = list.resources as Record<string, unknown>[];
    expect(teams).to.deep.include({
      name: 'teams',
      singularName: 'team',
      namespaced: true,
      kind: 'Team',
      verbs: VERBS,
    });
    expect(teams?.['storageVersionHash']).to.match(/^[A-Za-z0-9+/]{11}=$/);
    expect(below).to.deep.equal([
      { name: 'teams/status', singularName: '', namespaced: true, kind: 'Team', verbs: ['get', 'patch'] },
      {
        name: 'teams/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get'],
      },
    ]);
  });

  it('describes a resource that is not stored', async () => {
    expect(jsonOf(await send(routes(), requestFor('/apis/authentication.k8s.io/v1')))).to.deep.equal({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'authentication.k8s.io/v1',
      resources: [
        {
          name: 'selfsubjectreviews',
          singularName: 'selfsubjectreview',
          namespaced: false,
          kind: 'SelfSubjectReview',
          verbs: ['create'],
        },
      ],
    });
  });
});
