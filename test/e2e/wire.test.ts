import { expect } from 'chai';
import type { Schemas } from '../../pkg/kube/openapi/schema.js';
import { refsOf } from '../../pkg/kube/openapi/testing/refs.js';
import type { Answer } from './client.js';
import { startServer, type TestServer } from './harness.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

/** Whether a schema is only a reference. kubectl explain ends with a stack overflow if it leads to itself. */
const isOnlyReference = (schema: object): boolean => '$ref' in schema || 'allOf' in schema;

describe('the resource API over HTTPS', function () {
  this.timeout(120_000);
  let server: TestServer;
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    server.client.request('GET', path, { headers });

  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  for (const path of ['/api', '/apis']) {
    it(`answers ${path} with aggregated discovery and its content type, and with 304 the next time`, async () => {
      const first = await get(`${path}?timeout=32s`, { accept: `${AGGREGATED},application/json` });
      expect([first.status, first.headers['content-type']]).to.deep.equal([200, AGGREGATED]);
      expect(first.json()['kind']).to.equal('APIGroupDiscoveryList');
      const again = await get(path, { accept: AGGREGATED, 'if-none-match': String(first.headers.etag) });
      expect([again.status, again.text]).to.deep.equal([304, '']);
    });
  }

  it('serves discovery of each group and version', async () => {
    for (const path of ['/apis', '/apis/', '/apis/folder.svc.app', '/apis/folder.svc.app/v1beta1']) {
      expect((await get(path)).status, path).to.equal(200);
    }
  });

  // Promise: contract 1.1
  it('answers 404 with a Status for unknown groups and versions', async () => {
    for (const path of ['/apis/nothing.svc.app', '/apis/folder.svc.app/v9', '/openapi/v3/apis/nothing/v1']) {
      const answer = await get(path);
      expect([answer.status, answer.json()['kind'], answer.json()['reason']], path).to.deep.equal([
        404,
        'Status',
        'NotFound',
      ]);
    }
  });

  // Promise: contract 6
  it('answers 406 with a Status if the client accepts only other media types', async () => {
    for (const path of ['/apis', '/openapi/v2', FOLDERS]) {
      const answer = await get(path, { accept: 'application/cbor' });
      expect([answer.status, answer.json()['reason']], path).to.deep.equal([406, 'NotAcceptable']);
      const inProtobuf = await get(path, { accept: 'application/vnd.kubernetes.protobuf' });
      expect([inProtobuf.status, inProtobuf.headers['content-type']], path).to.deep.equal([
        406,
        'application/vnd.kubernetes.protobuf',
      ]);
    }
  });

  // Promise: contract 1.5
  it('serves every OpenAPI document of the index as immutable, with references only to its own schemas', async () => {
    const { paths } = (await get('/openapi/v3')).json<{ paths: Record<string, { serverRelativeURL: string }> }>();
    expect(paths).to.have.property('apis/folder.svc.app/v1beta1');
    for (const { serverRelativeURL } of Object.values(paths)) {
      const answer = await get(serverRelativeURL);
      expect(answer.status).to.equal(200);
      expect(answer.headers['cache-control']).to.contain('immutable');
      const { components } = answer.json<{ components: { schemas: Schemas } }>();
      for (const [own, schema] of Object.entries(components.schemas)) {
        expect(isOnlyReference(schema), `${own} has content of its own`).to.equal(false);
        for (const name of refsOf(schema)) expect(components.schemas, name).to.have.property(name);
      }
    }
  });

  // Promise: contract 1.2
  it('describes all resources of discovery in OpenAPI, including reviews and subresources', async () => {
    const groups = (await get('/apis')).json<{ groups: { versions: { groupVersion: string }[] }[] }>().groups;
    const named = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
    const found: string[] = [];
    for (const root of ['/api/v1', ...named]) {
      const { resources } = (await get(root)).json<{ resources: { name: string; namespaced: boolean }[] }>();
      const { paths } = (await get(`/openapi/v3${root}`)).json<{ paths: object }>();
      for (const { name, namespaced } of resources) {
        const path = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${name.replace('/', '/{name}/')}`;
        expect(paths).to.have.property(path);
        found.push(path);
      }
    }
    expect(found).to.include.members([
      '/apis/authentication.k8s.io/v1/tokenreviews',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      '/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token',
      '/apis/iam.svc.app/v1beta1/namespaces/{namespace}/serviceaccounts/{name}/token',
    ]);
  });

  it('takes nulls in a TokenReview for members that are not set', async () => {
    for (const spec of [null, { token: null, audiences: null }]) {
      const path = '/apis/authentication.k8s.io/v1/tokenreviews';
      const answer = await server.client.request('POST', path, { body: { metadata: null, spec } });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.json()['status']).to.deep.include({ authenticated: false });
      expect(answer.json()['spec']).to.deep.equal({ token: '' });
    }
  });

  it('redirects from an OpenAPI document with an old hash', async () => {
    const moved = await get('/openapi/v3/apis/folder.svc.app/v1beta1?hash=OLD');
    expect(moved.status).to.equal(301);
    expect((await get(String(moved.headers.location))).status).to.equal(200);
  });

  it('serves OpenAPI v2 as protobuf and as JSON', async () => {
    const protobuf = await get('/openapi/v2', { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' });
    const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    expect([protobuf.status, protobuf.headers['content-type']]).to.deep.equal([200, type]);
    expect(protobuf.text).to.contain('app.svc.folder.v1beta1.Folder');
    expect((await get('/openapi/v2')).json()['swagger']).to.equal('2.0');
  });

  it('compresses large documents for clients that accept gzip', async () => {
    const plain = await get('/openapi/v2');
    const packed = await get('/openapi/v2', { 'accept-encoding': 'gzip' });
    const large = Buffer.byteLength(plain.text) > 128 * 1024;
    expect(packed.headers['content-encoding']).to.equal(large ? 'gzip' : undefined);
  });

  // Promise: contract 2
  it('serves tables with the part of each object that includeObject requests', async () => {
    const folder = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name: 'wire' },
      spec: { title: 'Wire' },
    };
    expect((await server.client.request('POST', FOLDERS, { body: folder })).status).to.equal(201);
    const table = (query: string): Promise<Answer> => get(`${FOLDERS}?${query}`, { accept: TABLE });
    const row = async (query: string): Promise<Record<string, unknown>> =>
      (await table(query)).json<{ rows: Record<string, unknown>[] }>().rows[0] ?? {};
    expect(await row('')).to.have.nested.property('object.kind', 'PartialObjectMetadata');
    expect(await row('includeObject=Object')).to.have.nested.property('object.spec.title', 'Wire');
    expect(await row('includeObject=None')).to.have.keys('cells');
    const refused = await table('includeObject=All');
    expect([refused.status, refused.json()['reason']]).to.deep.equal([400, 'BadRequest']);
  });

  // Promise: contract 2
  it('sends the columns of a watch in tables in the first event only', async () => {
    const body = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name: 'wire-2' },
      spec: { title: 'Two' },
    };
    expect((await server.client.request('POST', FOLDERS, { body })).status).to.equal(201);
    const columns: number[] = [];
    for await (const line of server.client.lines(`${FOLDERS}?watch=true`, { accept: TABLE })) {
      const { object } = JSON.parse(line) as { object: { kind: string; columnDefinitions: unknown[] } };
      expect(object.kind).to.equal('Table');
      columns.push((object.columnDefinitions ?? []).length);
      if (columns.length === 2) break;
    }
    expect(columns).to.deep.equal([5, 0]);
  });

  // Promise: contract 2
  it('marks the end of the initial events of a watch with a bookmark, also in tables', async () => {
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    for (const [accept, path] of [
      ['application/json', 'object.metadata'],
      [TABLE, 'object.rows[0].object.metadata'],
    ] as const) {
      const seen: string[] = [];
      for await (const line of server.client.lines(`${FOLDERS}?${query}`, { accept })) {
        const event = JSON.parse(line) as { type: string };
        seen.push(event.type);
        if (event.type !== 'BOOKMARK') continue;
        expect(event)
          .to.have.nested.property(`${path}.annotations`)
          .that.satisfies((all: Record<string, string>) => all['k8s.io/initial-events-end'] === 'true');
        expect(event)
          .to.have.nested.property(`${path}.resourceVersion`)
          .that.matches(/^[1-9][0-9]*$/);
        break;
      }
      expect(seen).to.deep.equal(['ADDED', 'ADDED', 'BOOKMARK']);
    }
  });

  it('has all acknowledged writes after a crash, and continues a watch from before it', async () => {
    const { metadata } = (await get(FOLDERS)).json<{ metadata: { resourceVersion: string } }>();
    const body = {
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name: 'wire-3' },
      spec: { title: 'Three' },
    };
    const created = await server.client.request('POST', FOLDERS, { body });
    await server.kill();
    await server.restart();
    expect((await get(`${FOLDERS}/wire-3`)).text).to.equal(created.text);
    for await (const line of server.client.lines(`${FOLDERS}?watch=true&resourceVersion=${metadata.resourceVersion}`)) {
      const event = JSON.parse(line) as Record<string, unknown>;
      expect(event).to.have.property('type', 'ADDED');
      expect(event).to.have.nested.property('object.metadata.name', 'wire-3');
      break;
    }
  });
});
