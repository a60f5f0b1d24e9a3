import { expect } from 'chai';
import { z } from 'zod';
import {
  acrossNamespaces,
  collectionOperations,
  itemOperations,
  type MediaTypes,
  type Operation,
  type Operations,
  subresourceOperations,
} from './operations.js';
import type { DescribedResource, DescribedSubresource } from './schemas.js';

const LAMPS: DescribedResource = {
  group: 'light.svc.app',
  version: 'v1',
  kind: 'Lamp',
  resource: 'lamps',
  singular: 'lamp',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  description: 'A lamp.',
};
const STATUS: DescribedSubresource = { name: 'status', verbs: ['get', 'patch', 'update'] };
const BULB: DescribedSubresource = {
  name: 'bulb-change',
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  kind: { group: 'light.svc.app', version: 'v1', kind: 'BulbChange', description: 'A change.', answer: z.object({}) },
  parameters: [{ name: 'old', in: 'query', description: 'The old bulb.', schema: { type: 'string' } }],
};
const PATCHES = { apply: true };
const NO_APPLY = { apply: false };

const WRITING = ['dryRun', 'fieldManager', 'fieldValidation'];
const DELETING = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'];
const SELECTING = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
];
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const LAMP = 'app.svc.light.v1.Lamp';
const CHANGE = 'app.svc.light.v1.BulbChange';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** The media types with the names of their schemas. */
const content = (types: MediaTypes): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(types).map(([type, { schema }]) => [
      type,
      String(schema['$ref']).replace('#/components/schemas/', ''),
    ]),
  );

/** An operation without its texts. */
function shown({ parameters, requestBody, responses, tags: _, description: __, ...rest }: Operation) {
  return {
    id: rest.operationId,
    action: rest['x-kubernetes-action'],
    kind: (rest['x-kubernetes-group-version-kind'] as { kind: string }).kind,
    parameters: parameters?.map(({ name }) => name),
    body: requestBody && content(requestBody.content),
    isBodyRequired: requestBody?.required,
    answers: Object.fromEntries(Object.entries(responses).map(([code, one]) => [code, content(one.content)])),
  };
}
const all = (operations: Operations) =>
  Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, shown(operation)]));
const answers = (codes: readonly number[], types: Readonly<Record<string, string>>) =>
  Object.fromEntries(codes.map((code) => [String(code), types]));
const json = (name: string) => ({ 'application/json': name });
const written = (name: string) => ({ 'application/json': name, 'application/yaml': name });
const tabular = (name: string) => ({ 'application/json': name, [TABLE]: `${META}.Table` });
const patchTypes = (...types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [`application/${type}`, `${META}.Patch`]));

describe('the operations on a collection', () => {
  const listing = {
    action: 'list',
    kind: 'Lamp',
    parameters: [...SELECTING, 'allowWatchBookmarks', 'watch'],
    body: undefined,
    isBodyRequired: undefined,
    answers: answers([200], tabular(`${LAMP}List`)),
  };

  it('list, also as a table, create, and delete what is selected', () => {
    expect(all(collectionOperations(LAMPS))).to.deep.equal({
      get: { ...listing, id: 'listLightSvcAppV1NamespacedLamp' },
      post: {
        id: 'createLightSvcAppV1NamespacedLamp',
        action: 'post',
        kind: 'Lamp',
        parameters: WRITING,
        body: written(LAMP),
        isBodyRequired: true,
        answers: answers([200, 201, 202], json(LAMP)),
      },
      delete: {
        id: 'deleteCollectionLightSvcAppV1NamespacedLamp',
        action: 'deletecollection',
        kind: 'Lamp',
        parameters: [...SELECTING, ...DELETING],
        body: written(`${META}.DeleteOptions`),
        isBodyRequired: undefined,
        answers: answers([200], json(`${META}.Status`)),
      },
    });
  });

  it('only list across all namespaces, under an id of its own', () => {
    expect(all(acrossNamespaces(LAMPS))).to.deep.equal({
      get: { ...listing, id: 'listLightSvcAppV1LampForAllNamespaces' },
    });
  });

  it('do not name a namespace if the resource has none', () => {
    const ids = Object.values(collectionOperations({ ...LAMPS, scope: 'Cluster' })).map((one) => one.operationId);
    expect(ids).to.deep.equal([
      'listLightSvcAppV1Lamp',
      'createLightSvcAppV1Lamp',
      'deleteCollectionLightSvcAppV1Lamp',
    ]);
  });

  it('are those of the verbs of the resource', () => {
    expect(Object.keys(collectionOperations({ ...LAMPS, verbs: ['create'] }))).to.deep.equal(['post']);
    expect(Object.keys(collectionOperations({ ...LAMPS, verbs: ['list'] }))).to.deep.equal(['get']);
    expect(Object.keys(collectionOperations({ ...LAMPS, verbs: ['deletecollection'] }))).to.deep.equal(['delete']);
    expect(acrossNamespaces({ ...LAMPS, verbs: ['create'] })).to.deep.equal({});
  });

  it('have the parameters of a deletion that only the kind has', () => {
    const having = { ...LAMPS, deleteOptions: { shade: z.string().describe('Whether the shade goes, too.') } };
    for (const { delete: one } of [collectionOperations(having), itemOperations(having, PATCHES)])
      expect(one?.parameters?.at(-1)).to.deep.equal({
        name: 'shade',
        in: 'query',
        description: 'Whether the shade goes, too.',
        schema: { type: 'string' },
      });
    const Flag = z.enum(['true', 'false']).default('false').describe('Whether.');
    expect(
      itemOperations({ ...LAMPS, deleteOptions: { flag: Flag } }, PATCHES).delete?.parameters?.at(-1)?.schema,
    ).to.deep.equal({
      type: 'string',
      enum: ['true', 'false'],
      default: 'false',
    });
    const silent = { ...LAMPS, deleteOptions: { shade: z.string() } };
    expect(itemOperations(silent, PATCHES).delete?.parameters?.at(-1)?.description).to.equal('');
  });
});

describe('the operations on an object', () => {
  it('read it, also as a table, replace it, change parts of it, and delete it', () => {
    expect(all(itemOperations(LAMPS, PATCHES))).to.deep.equal({
      get: {
        id: 'readLightSvcAppV1NamespacedLamp',
        action: 'get',
        kind: 'Lamp',
        parameters: undefined,
        body: undefined,
        isBodyRequired: undefined,
        answers: answers([200], tabular(LAMP)),
      },
      put: {
        id: 'replaceLightSvcAppV1NamespacedLamp',
        action: 'put',
        kind: 'Lamp',
        parameters: WRITING,
        body: written(LAMP),
        isBodyRequired: true,
        answers: answers([200, 201], json(LAMP)),
      },
      patch: {
        id: 'patchLightSvcAppV1NamespacedLamp',
        action: 'patch',
        kind: 'Lamp',
        parameters: [...WRITING, 'force'],
        body: patchTypes('apply-patch+yaml', 'json-patch+json', 'merge-patch+json'),
        isBodyRequired: true,
        answers: answers([200, 201], json(LAMP)),
      },
      delete: {
        id: 'deleteLightSvcAppV1NamespacedLamp',
        action: 'delete',
        kind: 'Lamp',
        parameters: DELETING,
        body: written(`${META}.DeleteOptions`),
        isBodyRequired: undefined,
        answers: answers([200, 202], json(`${META}.Status`)),
      },
    });
  });

  it('create nothing by a patch that is no apply', () => {
    const unable: readonly (readonly [DescribedResource, typeof PATCHES])[] = [
      [LAMPS, NO_APPLY],
      // An object that is stored as another one has no managers of its own.
      [{ ...LAMPS, conversion: {} }, PATCHES],
    ];
    for (const [resource, formats] of unable) {
      const { patch } = all(itemOperations(resource, formats));
      expect(patch?.answers).to.deep.equal(answers([200], json(LAMP)));
      expect(patch?.body).to.deep.equal(patchTypes('json-patch+json', 'merge-patch+json'));
    }
  });

  it('answer a deletion with the object if the kind returns it', () => {
    const returning = { ...LAMPS, conventions: { returnsDeletedObject: true } };
    expect(all(itemOperations(returning, PATCHES))['delete']?.answers).to.deep.equal(answers([200, 202], json(LAMP)));
    const usual = { ...LAMPS, conventions: { returnsDeletedObject: false } };
    expect(itemOperations(usual, PATCHES)).to.deep.equal(itemOperations(LAMPS, PATCHES));
  });
});

describe('the operations on a subresource', () => {
  it('read and write the object itself for a subresource without a kind, and read it as a table', () => {
    const found = all(subresourceOperations(LAMPS, STATUS, PATCHES));
    expect(Object.keys(found)).to.deep.equal(['get', 'put', 'patch']);
    expect(Object.values(found).map(({ id }) => id)).to.deep.equal([
      'readLightSvcAppV1NamespacedLampStatus',
      'replaceLightSvcAppV1NamespacedLampStatus',
      'patchLightSvcAppV1NamespacedLampStatus',
    ]);
    expect(found['get']?.answers).to.deep.equal(answers([200], tabular(LAMP)));
    expect(found['put']?.answers).to.deep.equal(answers([200, 201], json(LAMP)));
    expect(Object.values(found).map(({ kind }) => kind)).to.deep.equal(['Lamp', 'Lamp', 'Lamp']);
  });

  it('can be applied if it is the status', () => {
    const bodyOf = (subresource: DescribedSubresource, formats: typeof PATCHES) =>
      Object.keys(all(subresourceOperations(LAMPS, subresource, formats))['patch']?.body ?? {});
    expect(bodyOf(STATUS, PATCHES)).to.include('application/apply-patch+yaml');
    expect(bodyOf(STATUS, NO_APPLY)).to.not.include('application/apply-patch+yaml');
    expect(bodyOf(BULB, PATCHES)).to.not.include('application/apply-patch+yaml');
  });

  it('have the kind of the messages, which is no table, and their own parameters', () => {
    const posting = { ...BULB, postParameters: BULB.parameters ?? [] };
    const found = all(subresourceOperations(LAMPS, posting, PATCHES));
    const [action, kind] = ['post', 'BulbChange'];
    expect(found['get']).to.deep.equal({
      id: 'readLightSvcAppV1NamespacedLampBulbChange',
      action: 'get',
      kind,
      parameters: ['old'],
      body: undefined,
      isBodyRequired: undefined,
      answers: answers([200], json(CHANGE)),
    });
    expect(found['post']).to.deep.equal({
      id: 'createLightSvcAppV1NamespacedLampBulbChange',
      action,
      kind,
      parameters: [...WRITING, 'old'],
      body: written(CHANGE),
      isBodyRequired: true,
      answers: answers([200, 201, 202], json(CHANGE)),
    });
    expect(found['delete']).to.deep.include({
      kind,
      parameters: DELETING,
      body: written(`${META}.DeleteOptions`),
      answers: answers([200, 202], json(CHANGE)),
    });
    expect(found['put']).to.deep.include({ kind, parameters: WRITING, body: written(CHANGE) });
    expect(all(subresourceOperations(LAMPS, BULB, PATCHES))['post']?.parameters).to.deep.equal(WRITING);
  });
});

describe('an operation', () => {
  it('says what it does, and is tagged by its group and version', () => {
    const texts = (operations: Operations) => Object.values(operations).map(({ description }) => description);
    expect([...texts(collectionOperations(LAMPS)), ...texts(itemOperations(LAMPS, PATCHES))]).to.deep.equal([
      'Lists or watches lamps.',
      'Creates a lamp.',
      'Deletes the lamps that are selected.',
      'Reads the lamp.',
      'Replaces the lamp.',
      'Changes parts of the lamp.',
      'Deletes the lamp.',
    ]);
    const below = subresourceOperations(LAMPS, { ...BULB, name: 'bulb' }, PATCHES);
    expect(texts(below)).to.deep.equal([
      'Reads the bulb of the lamp.',
      'Replaces the bulb of the lamp.',
      'Changes parts of the bulb of the lamp.',
      'Creates a bulb of a lamp.',
      'Deletes the bulb of the lamp.',
    ]);
    expect(acrossNamespaces(LAMPS).get?.tags).to.deep.equal(['lightSvcApp_v1']);
    expect(acrossNamespaces({ ...LAMPS, group: '' }).get?.tags).to.deep.equal(['core_v1']);
    expect(acrossNamespaces({ ...LAMPS, group: '' }).get?.operationId).to.equal('listV1LampForAllNamespaces');
  });

  it('has no parameters if there are none, and a name without any sign', () => {
    expect(itemOperations(LAMPS, PATCHES).get).to.not.have.property('parameters');
    const odd = subresourceOperations(LAMPS, { ...STATUS, name: 'a--b' }, PATCHES);
    expect(odd.get?.operationId).to.equal('readLightSvcAppV1NamespacedLampAB');
  });

  it('describes its answers by their codes', () => {
    const responses = itemOperations(LAMPS, PATCHES).delete?.responses ?? {};
    expect(Object.entries(responses).map(([code, { description }]) => [code, description])).to.deep.equal([
      ['200', 'OK'],
      ['202', 'Accepted'],
    ]);
    expect(itemOperations(LAMPS, PATCHES).put?.responses['201']?.description).to.equal('Created');
  });
});
