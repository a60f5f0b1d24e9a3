import { expect } from 'chai';
import { jsonOf, requestFor, send } from '../../pkg/http/negotiation/testing.js';
import { META_SCHEMAS } from '../../pkg/kube/openapi/meta.js';
import { META, type Schemas } from '../../pkg/kube/openapi/schema.js';
import { refsOf } from '../../pkg/kube/openapi/testing/refs.js';
import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';
import { openApiV2Object, openApiV3Object } from '../../pkg/kube/structural/open-api.js';
import { openApiRoutes } from './routes.js';
import type { DescribedResource } from './schemas.js';
import { GADGETS, OPTIONS, operationsOf, type Paths, VERBS, v3 } from './testing/gadgets.js';

const SCHEMA: JsonSchema = {
  type: 'object',
  description: 'A job that runs again and again.',
  properties: {
    spec: {
      type: 'object',
      required: ['schedule', 'image'],
      properties: {
        schedule: { type: 'string', description: 'When it runs.', default: '* * * * *' },
        image: { type: 'string', nullable: true },
        port: { 'x-kubernetes-int-or-string': true },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
  },
};
const NAME = 'com.example.stable.v1.CronTab';
const PART = '/openapi/v3/apis/stable.example.com/v1';
const V3_PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** A custom resource, and how often its schema was made. */
function custom(version: string | undefined, more: Partial<DescribedResource> = {}) {
  let renderings = 0;
  const kind = { group: 'stable.example.com', version: 'v1', kind: more.kind ?? 'CronTab' };
  const resource: DescribedResource = {
    ...kind,
    resource: 'crontabs',
    singular: 'crontab',
    scope: 'Namespaced',
    verbs: VERBS,
    description: 'Not shown.',
    subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
    objectSchema: (form) => {
      renderings++;
      return form === 'v3' ? openApiV3Object(SCHEMA, kind) : openApiV2Object(SCHEMA, kind);
    },
    ...(version !== undefined && { documentVersion: version }),
    ...more,
  };
  return { resource, renderings: () => renderings };
}

interface V2 {
  readonly paths: Paths;
  readonly definitions: Schemas;
}
type Routes = ReturnType<typeof openApiRoutes>;
const routesOf = (...resources: readonly DescribedResource[]): Routes => openApiRoutes(() => resources, OPTIONS);
const v2 = async (routes: Routes): Promise<V2> => jsonOf(await send(routes, requestFor('/openapi/v2'))) as V2;
const urlsOf = async (routes: Routes): Promise<Readonly<Record<string, string>>> => {
  const { paths } = jsonOf(await send(routes, requestFor('/openapi/v3'))) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return Object.fromEntries(Object.entries(paths).map(([name, { serverRelativeURL }]) => [name, serverRelativeURL]));
};

describe('the documents of a kind with a schema of its whole objects', () => {
  it('have it under the name that Kubernetes gives it, with the list', async () => {
    const { paths, components } = await v3(PART, routesOf(custom(undefined).resource));
    expect(components.schemas[NAME]).to.deep.equal(
      openApiV3Object(SCHEMA, { group: 'stable.example.com', version: 'v1', kind: 'CronTab' }),
    );
    expect(components.schemas[`${NAME}List`]).to.have.nested.property(
      'properties.items.items.$ref',
      `#/components/schemas/${NAME}`,
    );
    expect(Object.keys(components.schemas)).to.have.length(Object.keys(META_SCHEMAS).length + 2);
    expect(operationsOf(paths)).to.have.length(11);
    for (const schema of Object.values(components.schemas))
      for (const target of refsOf(schema)) expect(components.schemas).to.have.property(target);
  });

  it('have it in the form of 2.0 beside the kinds of the server', async () => {
    const { definitions } = await v2(routesOf(GADGETS, custom(undefined).resource));
    const { image, port, template } = (definitions[NAME] as { properties: { spec: { properties: Schemas } } })
      .properties.spec.properties;
    expect([image, port]).to.deep.equal([{}, { 'x-kubernetes-int-or-string': true }]);
    expect(template).to.deep.equal({
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    });
    expect(definitions)
      .to.have.nested.property(`${NAME.replaceAll('.', '\\.')}.properties.spec.required`)
      .that.deep.equals(['schedule']);
    expect(definitions).to.have.property('app.svc.gadget.v1beta1.Gadget');
    for (const schema of Object.values(definitions))
      for (const target of refsOf(schema)) expect(definitions).to.have.property(target);
  });

  it('name the fields that objects can be selected by, and another kind of lists', async () => {
    const selectableFields = { 'spec.image': () => '' };
    const routes = routesOf(custom(undefined, { selectableFields, listKind: 'Tabs' }).resource);
    const { components } = await v3(PART, routes);
    const fields = [{ fieldPath: 'spec.image' }];
    for (const name of [NAME, 'com.example.stable.v1.Tabs'])
      expect(components.schemas[name]?.['x-kubernetes-selectable-fields']).to.deep.equal(fields);
    expect((await v2(routes)).definitions[NAME]?.['x-kubernetes-selectable-fields']).to.deep.equal(fields);
    expect(components.schemas['com.example.stable.v1.Tabs']).to.have.deep.property('x-kubernetes-group-version-kind', [
      { group: 'stable.example.com', kind: 'Tabs', version: 'v1' },
    ]);
  });

  it('cannot replace schemas of the server', async () => {
    const own = { ...GADGETS, group: 'stable.example.com', version: 'v1' };
    const clashing = custom(undefined, { kind: 'GadgetSpec' }).resource;
    const core = custom(undefined, { group: 'meta.apis.pkg.apimachinery.k8s.io', version: 'v1', kind: 'ObjectMeta' });
    const routes = routesOf(own, clashing, core.resource);
    const { components } = await v3(PART, routes);
    expect(components.schemas['com.example.stable.v1.GadgetSpec']).to.have.nested.property('properties.title');
    const { definitions } = await v2(routes);
    expect(definitions['com.example.stable.v1.GadgetSpec']).to.have.nested.property('properties.title');
    expect(definitions[`${META}.ObjectMeta`]).to.have.nested.property('properties.labels');
  });
});

describe('the documents of resources that change', () => {
  it('are listed without rendering those whose version is known', async () => {
    const { resource, renderings } = custom('uid/1');
    const routes = routesOf(resource);
    const url = (await urlsOf(routes))['apis/stable.example.com/v1'] ?? '';
    expect(renderings()).to.equal(0);
    const response = await send(routes, requestFor(url));
    expect(response.headers['etag']).to.equal(`"${url.split('hash=')[1]}"`);
    expect(response.headers['cache-control']).to.match(/^public, immutable/);
    await send(routes, requestFor(PART));
    expect(renderings()).to.equal(1);
    expect((await send(routes, requestFor(`${PART}?hash=OLD`))).headers['location']).to.equal(url);
  });

  it('have another hash for another version, server or resource beside it, and else the same', async () => {
    const urlOf = async (routes: Routes) => (await urlsOf(routes))['apis/stable.example.com/v1'];
    const { resource } = custom('uid/1');
    const url = await urlOf(routesOf(resource));
    expect(await urlOf(routesOf(custom('uid/1').resource, GADGETS))).to.equal(url);
    expect(await urlOf(routesOf(custom('uid/2').resource))).to.not.equal(url);
    expect(
      await urlOf(routesOf(resource, custom('uid/3', { kind: 'Other', resource: 'others' }).resource)),
    ).to.not.equal(url);
    expect(await urlOf(openApiRoutes(() => [resource], { ...OPTIONS, version: 'v9' }))).to.not.equal(url);
  });

  it('are rendered again only if one of their resources changed', async () => {
    const [tabs, jobs] = [custom('1'), custom('2', { group: 'job.example.com' })];
    let list: readonly DescribedResource[] = [tabs.resource];
    const routes = openApiRoutes(() => list, OPTIONS);
    const read = async (accept: string) => send(routes, requestFor(PART, { accept }));
    await read('application/json');
    list = [tabs.resource, jobs.resource];
    await read('application/json');
    expect([tabs.renderings(), jobs.renderings()]).to.deep.equal([1, 0]);
    await read(V3_PROTOBUF);
    await read(V3_PROTOBUF);
    expect(tabs.renderings()).to.equal(2);
    list = [{ ...tabs.resource }, jobs.resource];
    await read('application/json');
    expect([tabs.renderings(), jobs.renderings()]).to.deep.equal([3, 0]);
    expect(Object.keys(await urlsOf(routes))).to.have.length(2);
    list = [jobs.resource];
    expect(routes.find(PART)).to.equal(undefined);
    expect(Object.keys(await urlsOf(routes))).to.deep.equal(['apis/job.example.com/v1']);
  });

  it('have the resources of now in 2.0, which is made once for a change, also for requests at the same time', async () => {
    const tabs = custom('1');
    let list: readonly DescribedResource[] = [GADGETS];
    const routes = openApiRoutes(() => list, OPTIONS);
    expect((await v2(routes)).definitions).to.not.have.property(NAME);
    list = [GADGETS, tabs.resource];
    for (const { definitions } of await Promise.all([v2(routes), v2(routes)]))
      expect(definitions).to.have.property(NAME);
    expect(tabs.renderings()).to.equal(2);
    const protobuf = await send(routes, requestFor('/openapi/v2', { accept: V2_PROTOBUF }));
    expect(Buffer.from(protobuf.body as Uint8Array).includes('When it runs.')).to.equal(true);
  });
});
