import { expect } from 'chai';
import { z } from 'zod';
import { META_SCHEMAS } from '../../pkg/kube/openapi/meta.js';
import { describedRef } from '../../pkg/kube/openapi/schema.js';
import { componentSchemas, type DescribedMessage, type DescribedResource, objectSchemaName } from './schemas.js';

const LAMP: DescribedResource = {
  group: 'light.svc.app',
  version: 'v1',
  kind: 'Lamp',
  resource: 'lamps',
  singular: 'lamp',
  scope: 'Namespaced',
  verbs: ['get', 'list', 'update'],
  description: 'A lamp.',
  spec: z.strictObject({ watts: z.string() }),
};
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const SPEC = { type: 'object', properties: { watts: { type: 'string' } }, required: ['watts'] };
const TYPE_META = {
  apiVersion: { type: 'string', description: 'Group and version of the schema of this object.' },
  kind: { type: 'string', description: 'Kind of this object, in CamelCase. Cannot be changed.' },
};
const METADATA = describedRef(`${META}.ObjectMeta`, 'Standard metadata of the object.');
const named = (name: string): string => `app.svc.light.v1.${name}`;
const gvk = (kind: string) => [{ group: 'light.svc.app', kind, version: 'v1' }];

/** The schemas that are no meta types. */
const schemasOf = (...resources: readonly DescribedResource[]) =>
  Object.fromEntries(Object.entries(componentSchemas(resources)).filter(([name]) => !(name in META_SCHEMAS)));
const namesOf = (resource: DescribedResource): readonly string[] => Object.keys(schemasOf(resource));

describe('the schemas of a group version', () => {
  it('are those of each kind, its list and its spec, with the meta types, in order of their names', () => {
    expect(schemasOf(LAMP)).to.deep.equal({
      [named('Lamp')]: {
        type: 'object',
        description: 'A lamp.',
        required: ['spec'],
        properties: {
          ...TYPE_META,
          metadata: METADATA,
          spec: describedRef(named('LampSpec'), 'The desired state of the Lamp.'),
        },
        'x-kubernetes-group-version-kind': gvk('Lamp'),
      },
      [named('LampList')]: {
        type: 'object',
        description: 'A list of lamps.',
        required: ['items'],
        properties: {
          ...TYPE_META,
          metadata: describedRef(`${META}.ListMeta`, 'Version and next page of the list.'),
          items: {
            type: 'array',
            description: 'The objects.',
            items: { $ref: `#/components/schemas/${named('Lamp')}` },
          },
        },
        'x-kubernetes-group-version-kind': gvk('LampList'),
      },
      [named('LampSpec')]: SPEC,
    });
    const names = Object.keys(componentSchemas([{ ...LAMP, kind: 'Zebra' }, LAMP]));
    expect(names).to.deep.equal([...names].sort());
    expect(names).to.include.members(Object.keys(META_SCHEMAS));
  });

  it('have the status of a kind that has one', () => {
    const schemas = schemasOf({ ...LAMP, status: z.strictObject({ isLit: z.boolean() }) });
    expect(schemas[named('LampStatus')]).to.deep.include({ properties: { isLit: { type: 'boolean' } } });
    expect(schemas[named('Lamp')])
      .to.have.nested.property('properties.status')
      .that.deep.equals(describedRef(named('LampStatus'), 'The observed state of the Lamp.'));
  });

  it('name the fields that objects can be selected by', () => {
    const selectable = { 'spec.watts': () => '', 'spec.colour': () => '' };
    const schemas = schemasOf({ ...LAMP, selectableFields: selectable });
    expect(schemas[named('Lamp')]?.['x-kubernetes-selectable-fields']).to.deep.equal([
      { fieldPath: 'spec.watts' },
      { fieldPath: 'spec.colour' },
    ]);
    expect(schemasOf({ ...LAMP, selectableFields: {} })).to.deep.equal(schemasOf(LAMP));
  });

  it('require a spec only if objects are written and have one', () => {
    expect(schemasOf({ ...LAMP, verbs: ['get', 'list'] })[named('Lamp')]).to.not.have.property('required');
    const optional = { ...LAMP, spec: z.strictObject({ isLit: z.boolean().optional() }).prefault({}) };
    expect(schemasOf(optional)[named('Lamp')]).to.not.have.property('required');
    const { spec: _, ...specless } = LAMP;
    expect(schemasOf(specless)[named('Lamp')]).to.not.have.property('required');
    expect(schemasOf(specless)[named('Lamp')]?.['properties']).to.deep.equal({ ...TYPE_META, metadata: METADATA });
    expect(namesOf(specless)).to.deep.equal([named('Lamp'), named('LampList')]);
  });

  it('have no list for what cannot be listed, and speak of a request if nothing is stored', () => {
    const review = { ...LAMP, verbs: ['create'], status: z.strictObject({ isLit: z.boolean() }) };
    expect(namesOf(review)).to.deep.equal([named('Lamp'), named('LampSpec'), named('LampStatus')]);
    expect(schemasOf(review)[named('Lamp')]?.['properties']).to.deep.include({
      spec: describedRef(named('LampSpec'), 'The request.'),
      status: describedRef(named('LampStatus'), 'The answer.'),
    });
  });

  it('have the members of a kind without a spec beside its metadata', () => {
    const { spec: _, ...specless } = LAMP;
    const Holder = z.object({ name: z.string() }).meta({ id: 'Holder' });
    const schemas = schemasOf({ ...specless, members: z.object({ holder: Holder, data: z.string() }) });
    expect(schemas[named('Lamp')]?.['properties']).to.deep.equal({
      ...TYPE_META,
      metadata: METADATA,
      holder: { $ref: `#/components/schemas/${named('Holder')}` },
      data: { type: 'string' },
    });
    expect(Object.keys(schemas)).to.deep.equal([named('Holder'), named('Lamp'), named('LampList')]);
  });

  it('may have one schema twice, but not two of one name', () => {
    expect(schemasOf(LAMP, { ...LAMP })).to.deep.equal(schemasOf(LAMP));
    const other = { ...LAMP, spec: z.strictObject({ watts: z.boolean() }) };
    expect(() => componentSchemas([LAMP, other])).to.throw(
      `Two different schemas have the name ${named('LampSpec')}; give one of them another id with .meta({ id }).`,
    );
  });
});

describe('the schemas of a subresource', () => {
  const Turn = z.object({ times: z.string() }).meta({ id: 'Turn' });
  const MESSAGE: DescribedMessage = {
    group: 'light.svc.app',
    version: 'v1',
    kind: 'Switch',
    description: 'A switch.',
    body: z.object({ turn: Turn }),
    answer: z.object({ isLit: z.boolean() }),
  };
  const { body: _, ...ANSWERING } = MESSAGE;
  const having = (kind: DescribedMessage): DescribedResource => ({
    ...LAMP,
    subresources: [
      { name: 'status', verbs: ['get'] },
      { name: 'switch', verbs: ['create'], kind },
    ],
  });

  it('are one schema with the members of the body and of the answer, and what they refer to', () => {
    const schemas = schemasOf(having(MESSAGE));
    expect(schemas[named('Switch')]).to.deep.equal({
      type: 'object',
      description: 'A switch.',
      properties: {
        ...TYPE_META,
        metadata: METADATA,
        turn: { $ref: `#/components/schemas/${named('Turn')}` },
        isLit: { type: 'boolean' },
      },
      'x-kubernetes-group-version-kind': gvk('Switch'),
    });
    expect(Object.keys(schemas)).to.deep.equal(['Lamp', 'LampList', 'LampSpec', 'Switch', 'Turn'].map(named));
  });

  it('have only the members of the answer if there is no body', () => {
    expect(Object.keys(schemasOf(having(ANSWERING))[named('Switch')]?.['properties'] ?? {})).to.deep.equal([
      'apiVersion',
      'kind',
      'metadata',
      'isLit',
    ]);
  });

  it('are all that there is of a resource without verbs', () => {
    expect(namesOf({ ...having(MESSAGE), verbs: [] })).to.deep.equal(['Switch', 'Turn'].map(named));
    expect(namesOf({ ...LAMP, verbs: [] })).to.deep.equal([]);
  });
});

describe('the name of a schema', () => {
  it('begins with the group from its end', () => {
    expect(objectSchemaName(LAMP)).to.equal('app.svc.light.v1.Lamp');
    expect(objectSchemaName({ group: '', version: 'v1', kind: 'Event' })).to.equal('io.k8s.api.core.v1.Event');
  });
});
