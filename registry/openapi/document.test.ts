import { expect } from 'chai';
import { z } from 'zod';
import { jsonOf, requestFor, send } from '../../pkg/http/negotiation/testing.js';
import type { Schema } from '../../pkg/kube/openapi/schema.js';
import { refsOf } from '../../pkg/kube/openapi/testing/refs.js';
import { openApiRoutes } from './routes.js';
import type { DescribedResource, DescribedSubresource } from './schemas.js';
import { GADGETS, LAMPS, OPTIONS, operationsOf, PART, type Paths, ROOT, routes, v3 } from './testing/gadgets.js';

describe('the document of a group version', () => {
  // Promise: contract 1.5
  it('has exactly the paths that clients look up', async () => {
    expect(Object.keys((await v3()).paths)).to.deep.equal([
      `${ROOT}/gadgets`,
      `${ROOT}/namespaces/{namespace}/gadgets`,
      `${ROOT}/namespaces/{namespace}/gadgets/{name}`,
      `${ROOT}/lamps`,
      `${ROOT}/lamps/{name}`,
    ]);
  });

  // Promise: contract 1.5
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
    const having = openApiRoutes(() => [{ ...LAMPS, subresources: [token] }, place], OPTIONS);
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

  // Promise: contract 1.5
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

  // Promise: contract 1.5
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
      const { paths } = await v3(
        PART,
        openApiRoutes(() => [resource], OPTIONS),
      );
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
    const applying = openApiRoutes(() => [LAMPS], { ...OPTIONS, patches: { apply: true } });
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

  // Promise: contract 1.5
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
    const clashing = openApiRoutes(() => [GADGETS, { ...GADGETS, resource: 'others', spec: Clash('other') }], OPTIONS);
    expect(await send(clashing, requestFor(PART)).catch((error: Error) => error.message)).to.match(
      /^Two different schemas have the name app\.svc\.gadget\.v1beta1\.GadgetSpec/,
    );
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
