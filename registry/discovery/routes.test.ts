import { expect } from 'chai';
import { load } from 'js-yaml';
import { jsonOf, requestFor, send } from '../../pkg/negotiation/testing.js';
import { inYaml } from '../../pkg/negotiation/yaml.js';
import type { ApiResource } from './resource.js';
import { discoveryRoutes } from './routes.js';

const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const V2BETA1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const KUBECTL = `${V2},${V2BETA1},application/json`;

const VERBS = ['create', 'delete', 'get', 'list', 'watch'];
const FOLDERS: ApiResource = {
  group: 'folder.svc.app',
  version: 'v1beta1',
  kind: 'Folder',
  resource: 'folders',
  singular: 'folder',
  scope: 'Namespaced',
  verbs: VERBS,
  shortNames: ['fo'],
  categories: ['all'],
};
const REVIEWS: ApiResource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  resource: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  scope: 'Cluster',
  verbs: ['create'],
};
const HIDDEN: ApiResource = { ...FOLDERS, kind: 'Token', resource: 'tokens', singular: 'token', served: false };
const TEAMS: ApiResource = {
  ...FOLDERS,
  group: 'iam.svc.app',
  kind: 'Team',
  resource: 'teams',
  singular: 'team',
  shortNames: [],
  categories: [],
  subresources: [
    { name: 'status', verbs: ['get', 'patch'] },
    { name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] },
  ],
};

/** Made again for each request, so that no test depends on what another one has read. */
const routes = () => discoveryRoutes(() => [FOLDERS, HIDDEN, REVIEWS, TEAMS]);

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

describe('indented discovery', () => {
  const textOf = async (path: string, headers: Readonly<Record<string, string>>) => {
    const response = await send(routes(), requestFor(path, headers));
    return { response, text: Buffer.from(response.body as Uint8Array).toString() };
  };

  it('is sent to curl and for ?pretty=true, with an ETag of its own', async () => {
    for (const path of ['/apis', '/api', '/apis/iam.svc.app', '/apis/iam.svc.app/v1beta1']) {
      const line = await textOf(path, {});
      const pages = [await textOf(path, { 'user-agent': 'curl/8.5' }), await textOf(`${path}?pretty=true`, {})];
      for (const { response, text } of pages) {
        expect(text, path).to.match(/^\{\n {2}"/);
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(line.text));
        const etag = String(response.headers['etag']);
        expect(etag).to.not.equal(line.response.headers['etag']);
        const again = requestFor(path, { 'user-agent': 'curl/8.5', 'if-none-match': etag });
        expect((await send(routes(), again)).status).to.equal(304);
      }
    }
  });
});

describe('discovery for clients that accept YAML only', () => {
  it('has the plain form, which the server then writes in YAML', async () => {
    for (const path of ['/apis', '/api', '/apis/iam.svc.app', '/apis/iam.svc.app/v1beta1']) {
      const response = await send(routes(), requestFor(path, { accept: 'application/yaml' }));
      const yaml = inYaml(requestFor(path, { accept: 'application/yaml' }), response);
      expect(load(Buffer.from(yaml.body as Uint8Array).toString())).to.deep.equal(jsonOf(response));
      expect(yaml.headers['content-type']).to.equal('application/yaml');
    }
  });
});

describe('aggregated discovery', () => {
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

  it('is v2beta1 for clients that accept no other version, and ignores unknown parameters', async () => {
    const response = await send(
      routes(),
      requestFor('/apis', { accept: `${V2BETA1};profile=nopeer,application/json` }),
    );
    expect(response.headers['content-type']).to.equal(V2BETA1);
    expect(jsonOf(response)).to.have.property('apiVersion', 'apidiscovery.k8s.io/v2beta1');
    expect(jsonOf(response)).to.have.deep.property('items', aggregatedGroups);
  });

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

  it('answers 304 to the ETag of the same form, and 200 to the ETag of another form', async () => {
    const first = await send(routes(), requestFor('/apis', { accept: KUBECTL }));
    const etag = String(first.headers['etag']);
    expect(etag).to.match(/^"[0-9A-F]{64}"$/);
    const again = await send(routes(), requestFor('/apis', { accept: KUBECTL, 'if-none-match': `W/"x", ${etag}` }));
    expect(again.status).to.equal(304);
    expect(again.body).to.equal(undefined);
    expect(again.headers['vary']).to.equal('Accept');
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

describe('legacy discovery', () => {
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

  it('answers APIVersions on /api', async () => {
    expect(jsonOf(await send(routes(), requestFor('/api')))).to.deep.equal({
      kind: 'APIVersions',
      versions: [],
      serverAddressByClientCIDRs: [],
    });
  });

  it('describes one group', async () => {
    expect(jsonOf(await send(routes(), requestFor('/apis/folder.svc.app')))).to.deep.equal({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'folder.svc.app',
      versions: [{ groupVersion: 'folder.svc.app/v1beta1', version: 'v1beta1' }],
      preferredVersion: { groupVersion: 'folder.svc.app/v1beta1', version: 'v1beta1' },
    });
  });

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

describe('a resource without verbs, of which only subresources are served', () => {
  const token = {
    name: 'token',
    kind: {
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      description: 'Not part of discovery.',
    },
    verbs: ['create'],
  };
  const placing = discoveryRoutes(() => [{ ...TEAMS, group: '', version: 'v1', verbs: [], subresources: [token] }]);
  const responseKind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

  it('has no kind in aggregated discovery, so that clients read only its subresources', async () => {
    const core = jsonOf(await send(placing, requestFor('/api', { accept: KUBECTL })));
    expect(core)
      .to.have.nested.property('items[0].versions[0].resources')
      .that.deep.equals([
        {
          resource: 'teams',
          responseKind: { group: '', version: '', kind: '' },
          scope: 'Namespaced',
          singularResource: 'team',
          verbs: [],
          subresources: [{ subresource: 'token', responseKind, verbs: ['create'] }],
        },
      ]);
  });

  it('is left out of the legacy list', async () => {
    expect(jsonOf(await send(placing, requestFor('/api/v1')))).to.have.deep.property('resources', [
      { name: 'teams/token', singularName: '', namespaced: true, ...responseKind, verbs: ['create'] },
    ]);
  });
});

describe('the discovery paths', () => {
  it('are these', () => {
    expect(routes().paths()).to.deep.equal([
      '/api',
      '/apis',
      '/apis/folder.svc.app',
      '/apis/authentication.k8s.io',
      '/apis/iam.svc.app',
      '/apis/folder.svc.app/v1beta1',
      '/apis/authentication.k8s.io/v1',
      '/apis/iam.svc.app/v1beta1',
    ]);
  });

  for (const path of ['/api', '/apis', '/apis/iam.svc.app', '/apis/iam.svc.app/v1beta1']) {
    it(`${path} refuses other media types and writes`, async () => {
      expect(await failure(path, { accept: 'application/vnd.kubernetes.protobuf' })).to.equal(406);
      expect(await failure(path, {}, 'POST')).to.equal(405);
    });
  }
});

async function failure(path: string, headers: Record<string, string>, method = 'GET'): Promise<unknown> {
  return send(routes(), requestFor(path, headers, method)).then(
    ({ status }) => `answered ${status}`,
    (error: { code?: number }) => error.code,
  );
}
