import { expect } from 'chai';
import { subresourceOperations } from './operations.js';
import type { DescribedSubresource } from './schemas.js';
import {
  all,
  answers,
  BULB,
  CHANGE,
  DELETING,
  json,
  LAMP,
  LAMPS,
  META,
  NO_APPLY,
  PATCHES,
  STATUS,
  tabular,
  WRITING,
  written,
} from './testing/operations.js';

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

  it('can be applied if fields are managed under its name, as those of the status', () => {
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
