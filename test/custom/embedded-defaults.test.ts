import { expect } from 'chai';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { DEFINITIONS, define, definitionOf, versionOf } from './definition.js';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
const open = { 'x-kubernetes-preserve-unknown-fields': true };
const typed = { apiVersion: { ...text, default: 'foos/v1' }, kind: { ...text, default: 'Foo' } };
const metadata = { name: 'Bar', unknown: 'unknown' };
const resource = { apiVersion: 'foos/v1', kind: 'Foo', metadata };

const field = (more: Json): Json => {
  const properties = { name: { ...text, default: 'Bar' }, unknown: { ...text, default: 'unknown' } };
  return { ...embedded, ...more, properties: { ...typed, metadata: { type: 'object', properties } } };
};
const whole = (more: Json): Json => ({
  ...embedded,
  ...more,
  properties: { ...typed, metadata: { type: 'object', default: metadata } },
});
const around = (more: Json): Json => ({
  type: 'object',
  properties: { inner: { ...embedded, properties: { foo: text }, ...more } },
  default: { inner: resource },
});

const SPEC = {
  type: 'object',
  properties: {
    field: field({}),
    openField: field(open),
    whole: whole({}),
    openWhole: whole(open),
    around: around({}),
    openAround: around(open),
    openResource: { ...embedded, ...open, default: resource },
  },
};

oneStore('defaults in the metadata of embedded resources', (server) => {
  it('may have fields that metadata lacks, which no object gets', async () => {
    const versions = [versionOf('v1', SPEC, { selectableFields: [], subresources: {} })];
    const { objects, object } = await define(server, { plural: 'holders', kind: 'Holder', words: {}, versions });
    const name = freshName('h');
    const sent = { field: { metadata: {} }, openField: { metadata: {} }, whole: {}, openWhole: {} };
    const kept = { ...resource, metadata: { name: 'Bar' } };
    const expected = {
      ...{ field: kept, openField: kept, whole: kept, openWhole: kept, openResource: kept },
      ...{ around: { inner: kept }, openAround: { inner: kept } },
    };
    expect(bodyOf(await objects.create(object(name, sent)), 201)['spec']).to.deep.equal(expected);
    expect(bodyOf(await objects.get(name), 200)['spec']).to.deep.equal(expected);
  });

  const refusals: Readonly<Record<string, readonly [Json, string]>> = {
    'a name that no object may have': [{ name: '..' }, 'must result in valid metadata: metadata.name: Invalid value'],
    'a value of another type': [{ name: 1 }, 'must result in valid metadata: metadata: Invalid value'],
  };
  for (const [what, [value, message]] of Object.entries(refusals)) {
    it(`are refused with ${what}`, async () => {
      const property = { ...embedded, properties: { metadata: { type: 'object', default: value } } };
      const spec = { type: 'object', properties: { inner: property } };
      const versions = [versionOf('v1', spec, { selectableFields: [], subresources: {} })];
      const body = definitionOf({ plural: 'others', kind: 'Other', words: {}, versions });
      const answer = await server().call('POST', DEFINITIONS, { body });
      expectStatus(answer, 422, 'Invalid', message);
    });
  }
});
