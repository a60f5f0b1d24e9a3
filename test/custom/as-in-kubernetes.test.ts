import { expect } from 'chai';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { DEFINITIONS, type Defined, define, redefine, versionOf } from './definition.js';

interface Terminating {
  readonly status: { readonly conditions: readonly Readonly<Record<'type' | 'status' | 'reason', string>>[] };
}

const SPEC = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string' },
    inner: { type: 'object', properties: { a: { type: 'string' } } },
    open: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
    points: {
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { x: { type: 'integer' } } },
    },
  },
};

/** What Kubernetes' own suite for custom resources expects, and each neighbour of it that the suite does not try. */
oneStore('custom objects, as in Kubernetes', (server) => {
  let kind: Defined;

  before(async () => {
    const versions = [versionOf('v1', SPEC, { subresources: { status: {} }, selectableFields: [] })];
    kind = await define(server, { plural: 'plans', kind: 'Plan', scope: 'Cluster', words: {}, versions });
  });

  // Promise: contract 1.6
  it('lose a namespace in their metadata if their kind has none, in every write', async () => {
    const name = freshName('p');
    const { objects } = kind;
    const placed = kind.object(name, { title: 'a' }, { namespace: 'default' });
    const made = bodyOf(await objects.create(placed), 201);
    expect(made.metadata).to.not.have.property('namespace');
    const changed = { ...placed, spec: { title: 'b' } };
    expect(bodyOf(await objects.put(name, changed), 200)['spec']).to.deep.equal({ title: 'b' });
    const merged = await objects.merge(name, { metadata: { namespace: 'default' }, spec: { title: 'c' } });
    expect(bodyOf(merged, 200).metadata).to.not.have.property('namespace');
    const applied = bodyOf(await apply(name, { ...placed, spec: { title: 'd' } }), 200);
    expect([applied.metadata['namespace'], applied['spec']]).to.deep.equal([undefined, { title: 'd' }]);
    const fresh = freshName('p');
    expect(
      bodyOf(await apply(fresh, kind.object(fresh, { title: 'a' }, { namespace: 'x' })), 201).metadata,
    ).to.not.have.property('namespace');
  });

  // Promise: contract 1.6
  it('can be changed if a set in them has objects, which no manager can tell apart', async () => {
    const name = freshName('p');
    const spec = { title: 'a', points: [{ x: 1 }, { x: 2 }] };
    const made = bodyOf(await kind.objects.create(kind.object(name, spec)), 201);
    const other = { ...spec, points: [{ x: 3 }] };
    const path = `${kind.objects.path(name)}?fieldManager=another`;
    const body = { ...made, spec: other };
    expect(bodyOf(await server().call('PUT', path, { body }), 200)['spec']).to.deep.equal(other);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const patched = await server().call('PATCH', path, { body: { spec: { title: 'b' } }, headers: merge });
    expect(bodyOf(patched, 200)['spec']).to.deep.equal({ ...other, title: 'b' });
    expectStatus(await apply(name, kind.object(name, spec)), 400, 'BadRequest', 'set');
  });

  // Promise: contract 1.6
  it('are refused if what is applied has a null where the schema has none', async () => {
    const name = freshName('p');
    bodyOf(await apply(name, kind.object(name, { title: 'a', inner: { a: '1' }, open: { a: '1' } })), 201);
    const refused = await apply(name, kind.object(name, { title: 'a', inner: null }));
    expectStatus(refused, 422, 'Invalid', 'must be of type object');
    const cleared = bodyOf(await apply(name, kind.object(name, { title: 'a', inner: { a: '1' }, open: null })), 200);
    expect(cleared['spec']).to.deep.equal({ title: 'a', inner: { a: '1' }, open: null });
  });

  it('have columns that say where they come from, if the definition does not', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = (await server().call('GET', kind.objects.path(), { headers: { accept } })).json();
    const columns = table['columnDefinitions'] as readonly { readonly name: string; readonly description: string }[];
    expect(columns.find(({ name }) => name === 'Title')?.description).to.equal(
      'Custom resource definition column (in JSONPath format): .spec.title',
    );
  });

  it('are refused as what they say they are, in every write', async () => {
    const [name, fresh] = [freshName('p'), freshName('p')];
    bodyOf(await kind.objects.create(kind.object(name, { title: 'a' })), 201);
    const other = (of: string): object => ({ ...kind.object(of, { title: 'b' }), kind: 'Plane' });
    const refusals = [
      await kind.objects.create(other(fresh)),
      await kind.objects.put(name, other(name)),
      await kind.objects.merge(name, { kind: 'Plane' }),
      await server().call('PUT', `${kind.objects.path(name)}/status`, { body: other(name) }),
    ];
    for (const answer of refusals) {
      expectStatus(answer, 422, 'Invalid', 'is invalid: kind: Invalid value: "Plane": must be Plan');
      expect(answer.json()['message']).to.match(/^Plane\.example\.com "p/);
    }
    const version = { ...kind.object(name, { title: 'b' }), apiVersion: 'example.com/v2' };
    expectStatus(await kind.objects.put(name, version), 400, 'BadRequest', 'does not match the expected API version');
    const { kind: _, ...kindless } = kind.object(fresh, { title: 'b' });
    expectStatus(await kind.objects.create(kindless), 400, 'BadRequest', 'does not match the expected kind');
    expect(bodyOf(await kind.objects.get(name), 200)['spec']).to.deep.equal({ title: 'a' });
  });

  it('are not found by any method at a path in a namespace that their kind does not have', async () => {
    const name = freshName('p');
    bodyOf(await kind.objects.create(kind.object(name, { title: 'a' })), 201);
    const plans = '/apis/example.com/v1/namespaces/default/plans';
    for (const path of ['', `/${name}`, `/${name}/status`, `/${name}/scale`]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const answer = await server().call(method, `${plans}${path}`, { body: kind.object(name) });
        expectStatus(answer, 404, 'NotFound');
      }
    }
    const boards = '/apis/dashboard.svc.app/v1beta1/dashboards/one';
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      expectStatus(await server().call(method, boards, { body: {} }), 404, 'NotFound');
      expectStatus(await server().call(method, `${boards}/history`, { body: {} }), 404, 'NotFound');
    }
  });

  it('are not taken while another finalizer holds their definition, which says that it is terminating', async () => {
    const held = await define(server, { plural: 'helds', kind: 'Held', words: {}, finalizers: ['example.com/held'] });
    const path = `${DEFINITIONS}/${held.definition.metadata.name}`;
    bodyOf(await held.objects.create(held.object('a')), 201);
    const conditionOf = (body: object) =>
      (body as Terminating).status.conditions.find(({ type }) => type === 'Terminating');
    const deleted = bodyOf(await server().call('DELETE', path), 200);
    expect(conditionOf(deleted)).to.include({ status: 'True', reason: 'InstanceDeletionPending' });
    await until(async () => {
      const reason = conditionOf(bodyOf(await server().call('GET', path), 200))?.reason;
      return reason === 'InstanceDeletionCompleted';
    });
    expect(conditionOf(bodyOf(await server().call('GET', path), 200))?.status).to.equal('True');
    expect(bodyOf(await held.objects.list(), 200).items).to.deep.equal([]);
    const query = { dryRun: 'All', fieldManager: 'one' };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const body = JSON.stringify(held.object('b'));
    const applied = await server().call('PATCH', held.objects.path('b'), { body, headers, query });
    for (const answer of [applied, await held.objects.create(held.object('b'))]) {
      expectStatus(answer, 403, 'Forbidden', 'create not allowed while custom resource definition is terminating');
    }
    await redefine(server, held.definition, { metadata: { finalizers: null } });
    expectStatus(await server().call('GET', path), 404, 'NotFound');
  });

  const apply = (name: string, body: unknown) => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const path = `${kind.objects.path(name)}?fieldManager=one&force=true`;
    return server().call('PATCH', path, { body: JSON.stringify(body), headers });
  };
});
