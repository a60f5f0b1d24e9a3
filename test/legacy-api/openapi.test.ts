import { expect } from 'chai';
import { legacyRoutesOf } from '../harness/legacy-routes.js';
import { oneStore } from '../harness/stores.js';
import type { Json } from './legacy.js';

const PATH = '/openapi/legacy';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

oneStore('the OpenAPI document of the legacy API', (server) => {
  let document: Json;
  before(async () => {
    document = JSON.parse((await server().call('GET', PATH)).text);
  });
  const operations = (): readonly Json[] =>
    Object.values<Json>(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));

  it('has every route, with a summary and the parameters of its path', () => {
    for (const { method, path } of legacyRoutesOf(server())) {
      const operation = document.paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
      expect(operation?.summary, `${method} ${path}`).to.match(/^[A-Z].*[^.]$/);
      const named = operation.parameters.filter((one: Json) => one.in === 'path').map(({ name }: Json) => name);
      expect(named, path).to.deep.equal([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    }
    const others = ['/bootdata', '/apis/dashboard.svc.app/v0alpha1/namespaces/{namespace}/search'];
    expect(operations()).to.have.length(legacyRoutesOf(server()).length + others.length);
    for (const path of others) expect(document.paths[path].get.summary, path).to.be.a('string');
  });

  it('has different names of operations, and the schemas that it refers to', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    const text = JSON.stringify(document);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(document.components.schemas, name).to.have.property(name);
    expect(document.components.securitySchemes.BearerToken).to.include({ type: 'http', scheme: 'bearer' });
  });

  it('describes a body by the schema that reads it, and lists parameters of the query', () => {
    const { $ref } = document.paths['/api/orgs'].post.requestBody.content['application/json'].schema;
    const schema = document.components.schemas[$ref.split('/').at(-1)];
    expect(schema).to.deep.include({ type: 'object', required: ['name'] });
    expect(document.paths['/api/search'].get.parameters.map(({ name }: Json) => name)).to.include('query');
  });

  for (const [path, names] of Object.entries({
    '/users/search': ['query', 'activeLast30Days', 'page', 'perpage', 'sort'],
    '/teams/search': ['query', 'name', 'teamId', 'page', 'perpage', 'sort', 'accesscontrol'],
    '/annotations': 'from to limit dashboardUID dashboardId panelId userId alertId alertUID type tags matchAny'.split(
      ' ',
    ),
    '/search':
      'query type tag dashboardUIDs dashboardUID dashboardIds folderUIDs folderIds starred permission deleted sort limit page'.split(
        ' ',
      ),
    '/library-elements':
      'searchString kind sortDirection typeFilter excludeUid folderFilter folderFilterUIDs page perPage'.split(' '),
  }))
    it(`lists every parameter that GET /api${path} reads`, () => {
      const { parameters } = document.paths[`/api${path}`].get;
      expect(parameters.map(({ name }: Json) => name)).to.have.members(names);
    });

  it('needs credentials, and is sent again only if it has changed', async () => {
    expect((await server().call('GET', PATH, { user: null })).status).to.equal(401);
    const { headers } = await server().call('GET', PATH);
    expect(headers).to.include({ 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    const again = await server().call('GET', PATH, { headers: { 'if-none-match': String(headers['etag']) } });
    expect([again.status, again.text]).to.deep.equal([304, '']);
    expect((await server().call('GET', PATH, { headers: { accept: 'text/html' } })).status).to.equal(406);
    expect((await server().call('POST', PATH)).status).to.equal(405);
  });
});
