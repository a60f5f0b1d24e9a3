import { expect } from 'chai';
import { GROUP, USER } from '../../pkg/scim/schema.js';
import { oneStore } from '../harness/stores.js';
import { type Json, scimOf } from './scim.js';

const ROOT = '/apis/scim.svc.app/v0alpha1/namespaces/{namespace}';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

oneStore('the OpenAPI document of SCIM', (server) => {
  const { call, makeGroup, makeUser } = scimOf(server);
  let document: Json;
  before(async () => {
    document = JSON.parse((await server().call('GET', '/openapi/scim')).text);
  });

  it('has each path and method that the server answers, and no other ones', async () => {
    const ids: Readonly<Record<string, string>> = {
      Users: (await makeUser()).id,
      Groups: (await makeGroup()).id,
      Schemas: USER.urn,
      ResourceTypes: 'User',
    };
    const [, , ...all] = Object.keys(document.paths).map((path) => path.slice(ROOT.length).split('/')[1]);
    const first = new Set([...all, 'Users', 'Groups', 'Me', 'Bulk', '.search', 'ServiceProviderConfig', 'Invented']);
    const paths = [...first].flatMap((name) => [`/${name}`, `/${name}/{id}`, `/${name}/.search`]);
    const answered: string[] = [];
    for (const path of paths) {
      const real = path.replace('{id}', ids[path.split('/')[1] ?? ''] ?? 'x');
      const { status, body } = await call('TRACE', real);
      if (status !== 405) continue;
      const methods = METHODS.filter((method) => new RegExp(`: use .*\\b${method}\\b`).test(body.detail));
      answered.push(...methods.map((method) => `${method} ${path}`));
    }
    const described = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method.toLowerCase()]).map((method) => `${method} ${path.slice(ROOT.length)}`),
    );
    // Lists of discovery answer any name below them in the same way.
    const isNamed = (one: string): boolean => !/ResourceTypes|Schemas/.test(one) || !one.endsWith('.search');
    expect(answered.filter(isNamed).sort()).to.deep.equal(described.sort());
  });

  it('has the attributes of the schemas, and all schemas that it refers to', () => {
    const { schemas } = document.components;
    for (const { type, attributes } of [USER, GROUP]) {
      const { properties } = schemas[`scim.${type}`];
      expect(Object.keys(properties)).to.deep.equal(attributes.map(({ name }) => name));
    }
    expect(schemas['scim.User'].properties).to.deep.include({
      password: { type: 'string', description: 'Never returned.', writeOnly: true },
    });
    expect(schemas['scim.User'].properties.meta.readOnly).to.equal(true);
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    for (const [, name = ''] of references) expect(schemas).to.have.any.keys(name);
    const operations = Object.values<Json>(document.paths).flatMap((item) =>
      METHODS.flatMap((method) => item[method.toLowerCase()] ?? []),
    );
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).to.equal(names.length);
  });
});
