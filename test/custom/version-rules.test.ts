import { expect } from 'chai';
import { bodyOf, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { define, redefine, resourceOfDefinition, SPEC, versionOf } from './definition.js';

const { properties, ...rest } = SPEC as { readonly properties: object };

/** Versions with different schemas cannot share selectable fields. */
const SELECTS_NOTHING = { selectableFields: null };

/** A version that is not stored, and requires a field that the stored version does not require. */
const STRICT = versionOf(
  'v2',
  { ...rest, required: ['owner'], properties: { ...properties, owner: { type: 'string', maxLength: 5 } } },
  { ...SELECTS_NOTHING, storage: false },
);

oneStore('a write in a version that is not stored', (server) => {
  it('follows the rules of its own version, and stores what the stored version has', async () => {
    const versions = [versionOf('v1', SPEC, SELECTS_NOTHING), STRICT];
    const { definition, objects } = await define(server, { plural: 'owned', kind: 'Owned', versions });
    const strict = resourceOfDefinition(server, definition, 'v2');
    const create = (name: string, spec: object) => strict.objects.create(strict.object(name, { ...spec }));
    expect(causes(bodyOf(await create('none', { title: 'a' }), 422))).to.deep.equal(['spec.owner FieldValueRequired']);
    const long = bodyOf(await create('long', { title: 'a', owner: 'somebody' }), 422);
    expect(causes(long)).to.deep.equal(['spec.owner FieldValueTooLong']);
    bodyOf(await create('one', { title: 'a', owner: 'ann' }), 201);
    expect(bodyOf(await objects.get('one'), 200)['spec']).to.deep.equal({ title: 'a' });
    const replaced = bodyOf(await strict.objects.merge('one', { spec: { title: 'b' } }), 422);
    expect(causes(replaced), 'what is not stored is missing in the next write').to.deep.equal([
      'spec.owner FieldValueRequired',
    ]);
  });

  it('sets the status if its own version has no subresource for it', async () => {
    const open = { ...versionOf('v2', SPEC, { subresources: {} }), storage: false };
    const { definition, objects } = await define(server, {
      plural: 'opens',
      kind: 'Open',
      versions: [versionOf('v1'), open],
    });
    const { objects: others, object } = resourceOfDefinition(server, definition, 'v2');
    bodyOf(await others.create({ ...object('one'), status: { phase: 'Ready' } }), 201);
    expect(bodyOf(await objects.get('one'), 200).status).to.deep.equal({ phase: 'Ready' });
    bodyOf(await objects.merge('one', { status: { phase: 'Broken' } }), 200);
    expect(bodyOf(await objects.get('one'), 200).status).to.deep.equal({ phase: 'Ready' });
  });

  // Promise: contract 5.2
  it('can be a scale', async () => {
    const versions = [versionOf('v1'), { ...versionOf('v2'), storage: false }];
    const { definition, object, objects } = await define(server, { plural: 'scaled', kind: 'Scaled', versions });
    bodyOf(await objects.create(object('one')), 201);
    const { objects: others } = resourceOfDefinition(server, definition, 'v2');
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'one' }, spec: { replicas: 3 } };
    const path = `${others.path('one')}/scale`;
    expectStatus(
      await server().call('GET', path),
      404,
      'NotFound',
      'the spec replicas field ".spec.size" does not exist',
    );
    bodyOf(await server().call('PUT', path, { body: scale }), 200);
    const written = bodyOf(await objects.get('one'), 200);
    expect(written['spec']).to.deep.equal({ title: 'one', size: 3 });
    const wrong = { ...scale, spec: { replicas: -1 } };
    bodyOf(await server().call('PUT', path, { body: wrong }), 422);
  });
});

oneStore('the scale of a custom object', (server) => {
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'one' } };
  const apply = { 'content-type': 'application/apply-patch+yaml' };

  it('can be applied, and its replicas are managed under its name', async () => {
    const { objects, object } = await define(server, { plural: 'applied', kind: 'Applied' });
    bodyOf(await objects.create(object('one', { title: 'one', size: 1 })), 201);
    const path = `${objects.path('one')}/scale`;
    const sent = { headers: apply, body: { ...scale, spec: { replicas: 2 } } };
    const conflict = bodyOf(await server().call('PATCH', path, { ...sent, query: { fieldManager: 'hpa' } }), 409);
    expect(causes(conflict)).to.deep.equal(['.spec.size FieldManagerConflict']);
    const forced = await server().call('PATCH', path, { ...sent, query: { fieldManager: 'hpa', force: true } });
    expect(bodyOf(forced, 200)['spec']).to.deep.equal({ replicas: 2 });
    const { metadata } = bodyOf(await objects.get('one'), 200);
    const own = metadata.managedFields?.find(({ manager }) => manager === 'hpa');
    expect(own).to.deep.include({
      operation: 'Apply',
      apiVersion: 'example.com/v1',
      subresource: 'scale',
      fieldsV1: { 'f:spec': { 'f:size': {} } },
    });
    bodyOf(await server().call('PATCH', path, { ...sent }), 422);
  });

  it('is refused if the schema does not keep it', async () => {
    const { size: _, ...others } = properties as Readonly<Record<string, unknown>>;
    const { 'x-kubernetes-validations': __, ...spec } = rest as Readonly<Record<string, unknown>>;
    const versions = [versionOf('v1', { ...spec, properties: others })];
    const { objects, object } = await define(server, { plural: 'lost', kind: 'Lost', versions });
    bodyOf(await objects.create(object('one')), 201);
    const body = { ...scale, spec: { replicas: 2 } };
    const refused = bodyOf(await server().call('PUT', `${objects.path('one')}/scale`, { body }), 422);
    expect(refused.message).to.include('does not keep a whole number at .spec.size');
  });
});

oneStore('rules of a definition that has changed', (server) => {
  it('warn of what was wrong before, and refuse what becomes wrong', async () => {
    const { definition, objects, object } = await define(server, { plural: 'ruled', kind: 'Ruled' });
    bodyOf(await objects.create(object('one', { title: 'one', note: 'long note' })), 201);
    const note = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.size() < 5', message: 'too long' }] };
    const spec = { ...SPEC, properties: { ...properties, note } };
    await redefine(server, definition, { spec: { versions: [versionOf('v1', spec)] } });
    const kept = await objects.merge('one', { spec: { title: 'two' } });
    bodyOf(kept, 200);
    expect(String(kept.headers['warning'])).to.include('spec.note: Invalid value: \\"long note\\": too long');
    bodyOf(await objects.merge('one', { spec: { note: 'other note' } }), 422);
  });

  it('give a default that was added later to no manager', async () => {
    const { definition, objects, object } = await define(server, { plural: 'grown', kind: 'Grown' });
    bodyOf(await objects.create(object('one'), { query: { fieldManager: 'ann' } }), 201);
    const spec = { ...SPEC, properties: { ...properties, size: { type: 'integer', default: 7 } } };
    await redefine(server, definition, { spec: { versions: [versionOf('v1', spec)] } });
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const body = object('one', { size: 8 });
    const applied = bodyOf(
      await server().call('PATCH', objects.path('one'), { headers, body, query: { fieldManager: 'bob' } }),
      200,
    );
    expect(applied['spec']).to.deep.equal({ title: 'one', size: 8 });
  });
});

interface Caused {
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly reason?: string }[] };
}

function causes({ details }: Caused): readonly string[] {
  return (details?.causes ?? [])
    .map(({ field, reason }) => `${field} ${reason}`)
    .filter((text) => !text.startsWith('<nil>'));
}
