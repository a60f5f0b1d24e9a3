import { expect } from 'chai';
import { z } from 'zod';
import {
  acrossNamespaces,
  collectionOperations,
  itemOperations,
  type Operations,
  subresourceOperations,
} from './operations.js';
import type { DescribedResource } from './schemas.js';
import {
  all,
  answers,
  BULB,
  DELETING,
  json,
  LAMP,
  LAMPS,
  META,
  NO_APPLY,
  PATCHES,
  patchTypes,
  SELECTING,
  STATUS,
  tabular,
  WRITING,
  written,
} from './testing/operations.js';

describe('the operations on a kind that has a form in protobuf', () => {
  it('name it for what is sent and answered, but not for patches', () => {
    const lease = { ...LAMPS, group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' };
    const PROTOBUF = 'application/vnd.kubernetes.protobuf';
    const { get, put, patch } = itemOperations(lease, { apply: true });
    for (const one of [get, put, patch]) expect(one?.responses['200']?.content).to.have.property(PROTOBUF);
    expect(put?.requestBody?.content).to.have.property(PROTOBUF);
    expect(patch?.requestBody?.content).to.not.have.property(PROTOBUF);
    const { post } = collectionOperations(lease);
    expect(
      [post?.requestBody?.content, post?.responses['201']?.content].every((one) => PROTOBUF in (one ?? {})),
    ).to.equal(true);
    expect(itemOperations(LAMPS, { apply: true }).get?.responses['200']?.content).to.not.have.property(PROTOBUF);
  });
});

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
        parameters: [...WRITING, 'keepOrigin'],
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
    const Sent = z.literal('yes').transform(() => true);
    expect(
      itemOperations({ ...LAMPS, deleteOptions: { sent: Sent } }, PATCHES).delete?.parameters?.at(-1)?.schema,
      'as clients send it, in the words of OpenAPI 3.0',
    ).to.deep.equal({ type: 'string', enum: ['yes'] });
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
        parameters: [...WRITING, 'keepOrigin'],
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
