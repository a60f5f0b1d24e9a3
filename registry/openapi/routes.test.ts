import { expect } from 'chai';
import { z } from 'zod';
import type { ApiResponse } from '../../pkg/http/handler.js';
import { jsonOf, requestFor, send } from '../../pkg/negotiation/testing.js';
import { refsOf, type Schema, type Schemas } from '../../pkg/openapi/schema.js';
import { decodeMessage } from '../../pkg/protobuf/decode-message.js';
import { many, one, text } from '../../pkg/protobuf/message.js';
import { openApiRoutes } from './routes.js';
import type { DescribedResource, DescribedSubresource } from './schemas.js';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const GADGETS: DescribedResource = {
  group: 'gadget.svc.app',
  version: 'v1beta1',
  kind: 'Gadget',
  resource: 'gadgets',
  singular: 'gadget',
  scope: 'Namespaced',
  verbs: VERBS,
  description: 'A gadget.',
  spec: z.strictObject({ title: z.string().describe('Title.'), ratio: z.union([z.string(), z.number()]).nullish() }),
  status: z.strictObject({ seen: z.int() }),
  selectableFields: { 'spec.title': () => '' },
};
const LAMPS: DescribedResource = { ...GADGETS, kind: 'Lamp', resource: 'lamps', singular: 'lamp', scope: 'Cluster' };
const REVIEWS: DescribedResource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  resource: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  scope: 'Cluster',
  verbs: ['create'],
  description: 'Who am I?',
};
const OPTIONS = { title: 'Test', version: 'v1.34.0', patches: { apply: false } };
/** Made again for each request, so that no test depends on what another one has read. */
const routes = () => openApiRoutes([GADGETS, LAMPS, REVIEWS], OPTIONS);
const PART = '/openapi/v3/apis/gadget.svc.app/v1beta1';
const ROOT = '/apis/gadget.svc.app/v1beta1';

interface OperationBody {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly responses: Record<string, unknown>;
  readonly consumes?: readonly string[];
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': unknown;
}
type Paths = Record<string, Record<string, OperationBody>>;
interface V3 {
  readonly paths: Paths;
  readonly components: { readonly schemas: Schemas };
}

const v3 = async (path = PART, these = routes()): Promise<V3> => jsonOf(await send(these, requestFor(path))) as V3;
const indexEntries = async (): Promise<Record<string, { serverRelativeURL: string }>> =>
  (jsonOf(await send(routes(), requestFor('/openapi/v3'))) as { paths: Record<string, { serverRelativeURL: string }> })
    .paths;
const codeOf = (answer: Promise<ApiResponse>): Promise<unknown> =>
  answer.then(
    ({ status }) => status,
    (error: { code?: number }) => error.code,
  );

function operationsOf(paths: Paths): readonly OperationBody[] {
  return Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) => (method === 'parameters' ? [] : [operation])),
  );
}

describe('/openapi/v3', () => {
  it('lists the documents without a leading slash, with the URL of their hash', async () => {
    const entries = await indexEntries();
    expect(Object.keys(entries)).to.deep.equal(['apis/gadget.svc.app/v1beta1', 'apis/authentication.k8s.io/v1']);
    expect(entries['apis/gadget.svc.app/v1beta1']?.serverRelativeURL).to.match(
      /^\/openapi\/v3\/apis\/gadget\.svc\.app\/v1beta1\?hash=[0-9A-F]{64}$/,
    );
  });

  it('lets clients cache a document under its hash for ever, and redirects from any other hash', async () => {
    const url = (await indexEntries())['apis/gadget.svc.app/v1beta1']?.serverRelativeURL ?? '';
    const found = await send(routes(), requestFor(url));
    expect(found.status).to.equal(200);
    expect(found.headers['cache-control']).to.match(/^public, immutable/);
    expect(found.headers['etag']).to.equal(`"${url.split('hash=')[1]}"`);
    const days = (Date.parse(String(found.headers['expires'])) - Date.now()) / (24 * 3600 * 1000);
    expect(days).to.be.within(364, 366);
    const moved = await send(routes(), requestFor(`${PART}?hash=OLD`));
    expect(moved.status).to.equal(301);
    expect(moved.headers['location']).to.equal(url);
  });

  it('makes clients revalidate a document that they request without a hash', async () => {
    const first = await send(routes(), requestFor(PART));
    expect(first.headers['cache-control']).to.equal('no-cache, private');
    const again = await send(routes(), requestFor(PART, { 'if-none-match': String(first.headers['etag']) }));
    expect(again.status).to.equal(304);
  });

  it('answers protobuf with the same document under the same hash, and a content type that Go can parse', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    const url = (await indexEntries())['apis/gadget.svc.app/v1beta1']?.serverRelativeURL ?? '';
    const response = await send(routes(), requestFor(url, { accept }));
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.equal('application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
    expect(response.headers['etag']).to.not.equal((await send(routes(), requestFor(url))).headers['etag']);
    const named = many('named', { 1: text('name') });
    const document = decodeMessage(
      { 1: text('openapi'), 4: one('paths', { 1: named }), 5: one('components', { 1: one('schemas', { 1: named }) }) },
      response.body as Uint8Array,
    );
    const { paths, components } = await v3();
    const names = (members: object) => ({ named: Object.keys(members).map((name) => ({ name })) });
    expect(document).to.deep.equal({
      openapi: '3.0.0',
      paths: names(paths),
      components: { schemas: names(components.schemas) },
    });
  });

  it('answers 406 to clients that accept neither JSON nor protobuf, and lists the documents as JSON to all clients', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    expect(await codeOf(send(routes(), requestFor(PART, { accept: 'text/html' })))).to.equal(406);
    expect((await send(routes(), requestFor('/openapi/v3', { accept }))).headers['content-type']).to.equal(
      'application/json',
    );
    const preferring = await send(routes(), requestFor(PART, { accept: `application/json,${accept}` }));
    expect(preferring.headers['content-type']).to.equal('application/json');
  });

  it('names what it has to clients that accept neither, also to those that ask for protobuf of another type', async () => {
    for (const [path, name] of [
      [PART, 'v3'],
      ['/openapi/v2', 'v2'],
    ] as const) {
      const own = `com.github.proto-openapi.spec.${name}.v1.0+protobuf`;
      for (const accept of ['text/html', 'application/protobuf', `text/${own}`]) {
        const refused = await send(routes(), requestFor(path, { accept })).catch((error: Error) => error);
        expect((refused as Error).message)
          .to.include('application/json')
          .and.include(`application/${own}`);
      }
    }
  });

  it('leaves out resources that are not served', () => {
    expect([...openApiRoutes([{ ...GADGETS, served: false }], OPTIONS).keys()]).to.deep.equal([
      '/openapi/v2',
      '/openapi/v3',
    ]);
  });
});

describe('the document of a group version', () => {
  it('has exactly the paths that clients look up', async () => {
    expect(Object.keys((await v3()).paths)).to.deep.equal([
      `${ROOT}/gadgets`,
      `${ROOT}/namespaces/{namespace}/gadgets`,
      `${ROOT}/namespaces/{namespace}/gadgets/{name}`,
      `${ROOT}/lamps`,
      `${ROOT}/lamps/{name}`,
    ]);
  });

  it('has an operation for each verb', async () => {
    const { paths } = await v3();
    const actions = Object.fromEntries(
      Object.entries(paths).map(([path, { parameters: _, ...item }]) => [
        path.slice(ROOT.length),
        Object.entries(item).map(([method, operation]) => `${method} ${operation['x-kubernetes-action']}`),
      ]),
    );
    const collection = ['get list', 'post post', 'delete deletecollection'];
    const item = ['get get', 'put put', 'patch patch', 'delete delete'];
    expect(actions).to.deep.equal({
      '/gadgets': ['get list'],
      '/namespaces/{namespace}/gadgets': collection,
      '/namespaces/{namespace}/gadgets/{name}': item,
      '/lamps': collection,
      '/lamps/{name}': item,
    });
  });

  it('has only the operations and schemas that the verbs of a resource need', async () => {
    const { paths, components } = await v3('/openapi/v3/apis/authentication.k8s.io/v1');
    expect(Object.keys(paths)).to.deep.equal(['/apis/authentication.k8s.io/v1/selfsubjectreviews']);
    expect(operationsOf(paths).map((operation) => operation['x-kubernetes-action'])).to.deep.equal(['post']);
    expect(components.schemas).to.have.property('io.k8s.authentication.v1.SelfSubjectReview');
    expect(components.schemas).not.to.have.property('io.k8s.authentication.v1.SelfSubjectReviewList');
  });

  it('has a path for each subresource, with the kind of its body', async () => {
    const token: DescribedSubresource = {
      name: 'token',
      kind: {
        group: 'authentication.k8s.io',
        version: 'v1',
        kind: 'TokenRequest',
        description: 'A token.',
        body: z.object({ spec: z.object({ seconds: z.int() }).meta({ id: 'TokenRequestSpec' }) }),
        answer: z.object({ status: z.object({ token: z.string() }) }),
      },
      verbs: ['create'],
      postParameters: [{ name: 'force', in: 'query', description: 'Takes fields over.', schema: { type: 'boolean' } }],
    };
    const place = { ...GADGETS, resource: 'places', kind: 'Place', verbs: [], subresources: [token] };
    const having = openApiRoutes([{ ...LAMPS, subresources: [token] }, place], OPTIONS);
    const { paths, components } = await v3(PART, having);
    const below = Object.entries(paths).filter(([path]) => path.endsWith('/token'));
    expect(below.map(([path]) => path)).to.deep.equal([
      `${ROOT}/lamps/{name}/token`,
      `${ROOT}/namespaces/{namespace}/places/{name}/token`,
    ]);
    for (const operation of operationsOf(Object.fromEntries(below))) {
      expect(operation['x-kubernetes-action']).to.equal('post');
      const named = (operation['parameters'] as readonly { readonly name: string }[]).map(({ name }) => name);
      expect(named).to.include.members(['dryRun', 'force']);
      expect(operation['x-kubernetes-group-version-kind']).to.deep.equal({
        group: 'authentication.k8s.io',
        version: 'v1',
        kind: 'TokenRequest',
      });
    }
    expect(operationsOf(paths).map(({ operationId }) => operationId)).to.include(
      'createGadgetSvcAppV1beta1NamespacedPlaceToken',
    );
    expect(components.schemas).to.have.property('io.k8s.authentication.v1.TokenRequestSpec');
    expect(Object.keys(paths)).to.not.include(`${ROOT}/places`);
    expect(components.schemas).to.not.have.property('app.svc.gadget.v1beta1.Place');
  });

  it('names the kind by an object on operations and by an array on schemas', async () => {
    const { paths, components } = await v3();
    const kinds = operationsOf(paths).map((operation) => operation['x-kubernetes-group-version-kind']);
    const gvk = (kind: string): unknown => ({ group: 'gadget.svc.app', kind, version: 'v1beta1' });
    expect(kinds.slice(0, 8)).to.deep.equal(Array(8).fill(gvk('Gadget')));
    const onSchema = (name: string): unknown => components.schemas[name]?.['x-kubernetes-group-version-kind'];
    expect(onSchema('app.svc.gadget.v1beta1.Gadget')).to.deep.equal([gvk('Gadget')]);
    expect(onSchema('app.svc.gadget.v1beta1.GadgetList')).to.deep.equal([gvk('GadgetList')]);
    expect(onSchema('io.k8s.apimachinery.pkg.apis.meta.v1.Status')).to.deep.equal([
      { group: '', kind: 'Status', version: 'v1' },
    ]);
  });

  it('lists fieldValidation and the patch formats, without the strategic one', async () => {
    const patch = (await v3()).paths[`${ROOT}/namespaces/{namespace}/gadgets/{name}`]?.['patch'];
    expect(patch?.parameters?.map(({ name }) => name)).to.have.members([
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
    ]);
    expect(Object.keys(patch?.requestBody?.content ?? {})).to.deep.equal([
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
  });

  it('describes the answer to a deletion: a Status, or the object if the kind returns it', async () => {
    const answers = async (resource: DescribedResource): Promise<unknown> => {
      const { paths } = await v3(PART, openApiRoutes([resource], OPTIONS));
      return paths[`${ROOT}/lamps/{name}`]?.['delete']?.responses['200'];
    };
    const withSchema = (name: string) => ({
      description: 'OK',
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    });
    expect(await answers(LAMPS)).to.deep.equal(withSchema('io.k8s.apimachinery.pkg.apis.meta.v1.Status'));
    expect(await answers({ ...LAMPS, conventions: { returnsDeletedObject: true } })).to.deep.equal(
      withSchema('app.svc.gadget.v1beta1.Lamp'),
    );
  });

  it('lists apply patches if the server accepts them', async () => {
    const applying = openApiRoutes([LAMPS], { ...OPTIONS, patches: { apply: true } });
    const patch = (await v3(PART, applying)).paths[`${ROOT}/lamps/{name}`]?.['patch'];
    expect(Object.keys(patch?.requestBody?.content ?? {})).to.include('application/apply-patch+yaml');
    expect(Object.keys(patch?.responses ?? {})).to.deep.equal(['200', '201']);
  });

  it('lists pretty, name and namespace as parameters of the paths', async () => {
    const { paths } = await v3();
    const named = (path: string): unknown =>
      ((paths[path]?.['parameters'] ?? []) as unknown as { name: string }[]).map(({ name }) => name);
    expect(named(`${ROOT}/namespaces/{namespace}/gadgets/{name}`)).to.deep.equal(['name', 'namespace', 'pretty']);
    expect(named(`${ROOT}/lamps`)).to.deep.equal(['pretty']);
    expect(named(`${ROOT}/lamps/{name}`)).to.deep.equal(['name', 'pretty']);
    expect(named(`${ROOT}/gadgets`)).to.deep.equal(['pretty']);
    expect(named(`${ROOT}/namespaces/{namespace}/gadgets`)).to.deep.equal(['namespace', 'pretty']);
  });

  it('has a title and the version of the server', async () => {
    const info = { title: 'Test', version: 'v1.34.0' };
    for (const path of [PART, '/openapi/v2'])
      expect(jsonOf(await send(routes(), requestFor(path)))).to.deep.include({ info });
  });

  it('gives every operation an id of its own', async () => {
    const ids = operationsOf((await v3()).paths).map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include('patchGadgetSvcAppV1beta1NamespacedGadget');
  });

  it('describes an object by its schemas', async () => {
    const { schemas } = (await v3()).components;
    const reference = (name: string): unknown => [{ $ref: `#/components/schemas/${name}` }];
    const gadget = schemas['app.svc.gadget.v1beta1.Gadget'] as Schema & { properties: Record<string, Schema> };
    expect(gadget.properties['metadata']?.['allOf']).to.deep.equal(
      reference('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
    );
    expect(gadget.properties['spec']?.['allOf']).to.deep.equal(reference('app.svc.gadget.v1beta1.GadgetSpec'));
    expect(gadget.properties['status']?.['allOf']).to.deep.equal(reference('app.svc.gadget.v1beta1.GadgetStatus'));
    expect(gadget['required']).to.deep.equal(['spec']);
    expect(gadget['x-kubernetes-selectable-fields']).to.deep.equal([{ fieldPath: 'spec.title' }]);
    expect(schemas['app.svc.gadget.v1beta1.GadgetSpec']).to.have.nested.property(
      'properties.title.description',
      'Title.',
    );
  });

  it('refers only to schemas that it contains', async () => {
    const { paths, components } = await v3();
    const targets = [...Object.values(components.schemas), ...parts(paths)].flatMap((schema) => [...refsOf(schema)]);
    expect(targets).to.include('io.k8s.apimachinery.pkg.apis.meta.v1.Patch');
    for (const target of targets) expect(components.schemas, target).to.have.property(target);
  });

  it('refuses two schemas with the same name', async () => {
    const Clash = (field: string): z.ZodType => z.strictObject({ [field]: z.string() });
    const clashing = openApiRoutes([GADGETS, { ...GADGETS, resource: 'others', spec: Clash('other') }], OPTIONS);
    expect(await send(clashing, requestFor(PART)).catch((error: Error) => error.message)).to.match(
      /^Two different schemas have the name app\.svc\.gadget\.v1beta1\.GadgetSpec/,
    );
  });
});

describe('/openapi/v2', () => {
  it('answers protobuf with the same document, and a content type that Go can parse', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const response = await send(routes(), requestFor('/openapi/v2?timeout=32s', { accept }));
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.equal('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    const named = many('named', { 1: text('name') });
    const document = decodeMessage(
      { 1: text('swagger'), 8: one('paths', { 2: named }), 9: one('definitions', { 1: named }) },
      response.body as Uint8Array,
    );
    const { swagger, paths, definitions } = jsonOf(await send(routes(), requestFor('/openapi/v2'))) as {
      swagger: string;
      paths: Paths;
      definitions: Schemas;
    };
    const names = (members: object) => ({ named: Object.keys(members).map((name) => ({ name })) });
    expect(document).to.deep.equal({ swagger, paths: names(paths), definitions: names(definitions) });
  });

  it('answers JSON to other clients, and 406 to clients that accept neither', async () => {
    for (const headers of [{}, { accept: 'application/json, */*' }]) {
      const response = await send(routes(), requestFor('/openapi/v2', headers as Record<string, string>));
      expect(response.headers['content-type']).to.equal('application/json');
    }
    expect(await codeOf(send(routes(), requestFor('/openapi/v2', { accept: 'text/html' })))).to.equal(406);
  });

  it('has the content of the v3 documents, in the format of 2.0', async () => {
    const document = jsonOf(await send(routes(), requestFor('/openapi/v2'))) as {
      swagger: string;
      paths: Paths;
      definitions: Schemas;
    };
    expect(document.swagger).to.equal('2.0');
    expect(Object.keys(document.paths)).to.have.length(6);
    const post = document.paths[`${ROOT}/lamps`]?.['post'];
    expect(post?.parameters?.find((parameter) => parameter.in === 'body')).to.deep.equal({
      name: 'body',
      in: 'body',
      required: true,
      schema: { $ref: '#/definitions/app.svc.gadget.v1beta1.Lamp' },
    });
    expect(post?.consumes).to.deep.equal(['application/json', 'application/yaml']);
    expect(post?.responses['201']).to.deep.equal({
      description: 'Created',
      schema: { $ref: '#/definitions/app.svc.gadget.v1beta1.Lamp' },
    });
    expect(document.definitions['app.svc.gadget.v1beta1.GadgetSpec'])
      .to.have.nested.property('properties.ratio')
      .that.deep.equals({
        'x-kubernetes-preserve-unknown-fields': true,
      });
    const text = JSON.stringify(document);
    for (const absent of ['components/schemas', '"nullable"', '"anyOf"', '"content"', '"requestBody"']) {
      expect(text).not.to.contain(absent);
    }
    for (const schema of Object.values(document.definitions)) {
      for (const target of refsOf(schema)) expect(document.definitions).to.have.property(target);
    }
  });
});

/** The schemas of bodies and answers. */
function parts(paths: Paths): readonly Schema[] {
  return operationsOf(paths).flatMap((operation) => {
    const answers = Object.values(operation.responses) as { content: Record<string, { schema: Schema }> }[];
    const contents = [operation.requestBody as { content: Record<string, { schema: Schema }> } | undefined, ...answers];
    return contents.flatMap((one) => Object.values(one?.content ?? {}).map(({ schema }) => schema));
  });
}
