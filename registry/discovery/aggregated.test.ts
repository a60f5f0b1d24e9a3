import { expect } from 'chai';
import { jsonOf, requestFor, send } from '../../pkg/http/negotiation/testing.js';
import type { ApiResource } from './resource.js';
import { discoveryRoutes } from './routes.js';
import { FOLDERS, KUBECTL, REVIEWS, routes, TEAMS, V2, V2BETA1, VERBS } from './testing/resources.js';

const aggregatedGroups = [
  {
    metadata: { name: 'folder.svc.app' },
    versions: [
      {
        version: 'v1beta1',
        resources: [
          {
            resource: 'folders',
            responseKind: { group: 'folder.svc.app', version: 'v1beta1', kind: 'Folder' },
            scope: 'Namespaced',
            singularResource: 'folder',
            verbs: VERBS,
            shortNames: ['fo'],
            categories: ['all'],
          },
        ],
        freshness: 'Current',
      },
    ],
  },
  {
    metadata: { name: 'authentication.k8s.io' },
    versions: [
      {
        version: 'v1',
        resources: [
          {
            resource: 'selfsubjectreviews',
            responseKind: { group: 'authentication.k8s.io', version: 'v1', kind: 'SelfSubjectReview' },
            scope: 'Cluster',
            singularResource: 'selfsubjectreview',
            verbs: ['create'],
          },
        ],
        freshness: 'Current',
      },
    ],
  },
  {
    metadata: { name: 'iam.svc.app' },
    versions: [
      {
        version: 'v1beta1',
        resources: [
          {
            resource: 'teams',
            responseKind: { group: 'iam.svc.app', version: 'v1beta1', kind: 'Team' },
            scope: 'Namespaced',
            singularResource: 'team',
            verbs: VERBS,
            subresources: [
              {
                subresource: 'status',
                responseKind: { group: 'iam.svc.app', version: 'v1beta1', kind: 'Team' },
                verbs: ['get', 'patch'],
              },
              {
                subresource: 'scale',
                responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                verbs: ['get'],
              },
            ],
          },
        ],
        freshness: 'Current',
      },
    ],
  },
];

describe('aggregated discovery', () => {
  // Promise: contract 1.1
  it('describes every served resource, as v2 for kubectl', async () => {
    const response = await send(routes(), requestFor('/apis?timeout=32s', { accept: KUBECTL }));
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.equal(V2);
    expect(jsonOf(response)).to.deep.equal({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: aggregatedGroups,
    });
  });

  // Promise: contract 1.1
  it('is v2beta1 for clients that accept no other version, and ignores unknown parameters', async () => {
    const response = await send(
      routes(),
      requestFor('/apis', { accept: `${V2BETA1};profile=nopeer,application/json` }),
    );
    expect(response.headers['content-type']).to.equal(V2BETA1);
    expect(jsonOf(response)).to.have.property('apiVersion', 'apidiscovery.k8s.io/v2beta1');
    expect(jsonOf(response)).to.have.deep.property('items', aggregatedGroups);
  });

  // Promise: contract 1.1
  it('is empty on /api without a core kind, and still has the aggregated form', async () => {
    const response = await send(routes(), requestFor('/api', { accept: KUBECTL }));
    expect(response.headers['content-type']).to.equal(V2);
    expect(jsonOf(response)).to.deep.equal({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: [],
    });
  });

  // Promise: contract 1.1
  it('describes the core group on /api only', async () => {
    const namespaces: ApiResource = {
      ...REVIEWS,
      group: '',
      kind: 'Namespace',
      resource: 'namespaces',
      singular: 'namespace',
    };
    const withCore = discoveryRoutes(() => [namespaces]);
    const core = await send(withCore, requestFor('/api', { accept: KUBECTL }));
    expect(jsonOf(core)).to.have.nested.property('items[0].metadata.name', '');
    expect(jsonOf(core)).to.have.nested.property('items[0].versions[0].resources[0].resource', 'namespaces');
    expect(jsonOf(await send(withCore, requestFor('/apis', { accept: KUBECTL })))).to.have.deep.property('items', []);
    expect(jsonOf(await send(withCore, requestFor('/api')))).to.have.deep.property('versions', ['v1']);
    expect(jsonOf(await send(withCore, requestFor('/api/v1')))).to.have.property('groupVersion', 'v1');
  });

  // Promise: contract 1.1
  it('answers 304 to the ETag of the same form, and 200 to the ETag of another form', async () => {
    const first = await send(routes(), requestFor('/apis', { accept: KUBECTL }));
    const etag = String(first.headers['etag']);
    expect(etag).to.match(/^"[0-9A-F]{64}"$/);
    const again = await send(routes(), requestFor('/apis', { accept: KUBECTL, 'if-none-match': `W/"x", ${etag}` }));
    expect(again.status).to.equal(304);
    expect(again.body).to.equal(undefined);
    expect(again.headers['vary']).to.equal('Accept, User-Agent');
    const legacy = await send(routes(), requestFor('/apis', { 'if-none-match': etag }));
    expect(legacy.status).to.equal(200);
  });

  it('has the same ETag after a restart with the same kinds', async () => {
    const etagOf = async (these: ReturnType<typeof routes>): Promise<unknown> =>
      (await send(these, requestFor('/apis', { accept: KUBECTL }))).headers['etag'];
    expect(await etagOf(discoveryRoutes(() => [FOLDERS, REVIEWS, TEAMS]))).to.equal(await etagOf(routes()));
    expect(await etagOf(discoveryRoutes(() => [FOLDERS]))).not.to.equal(await etagOf(routes()));
  });
});
