import { expect } from 'chai';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { post, type Refusal, refuseAll } from './bad-input.js';
import { folder } from './folders.js';

const raw = (spec: string): string =>
  `{"apiVersion":"folder.svc.app/v1beta1","kind":"Folder","metadata":{"name":"raw"},"spec":${spec}}`;

const BODIES: readonly Refusal[] = [
  ['no body', post(undefined), 400, 'BadRequest', 'needs a body'],
  ['an empty body', post(''), 400, 'BadRequest', 'needs a body'],
  ['only blanks', post('  \n'), 400, 'BadRequest', 'empty'],
  // Promise: contract 6
  ['cut off JSON', post('{"metadata":{"name":'), 400, 'BadRequest', /line 1, column \d+/],
  ['JSON followed by other text', post(`${raw('{"title":"x"}')}}`), 400, 'BadRequest', /not valid JSON/],
  ['NaN', post(raw('{"title":NaN}')), 400, 'BadRequest', /not valid JSON/],
  ['invalid UTF-8', post(Buffer.from([0x7b, 0xff, 0x7d])), 400, 'BadRequest', 'not valid UTF-8'],
  ['an array', post([]), 400, 'BadRequest', 'must be a JSON object of kind Folder'],
  ['null', post('null'), 400, 'BadRequest', 'must be a JSON object of kind Folder'],
  ['a string', post('"folder"'), 400, 'BadRequest', 'must be a JSON object of kind Folder'],
  ['101 levels', post(raw(`${'['.repeat(200)}${']'.repeat(200)}`)), 400, 'BadRequest', 'nested deeper than 100'],
  ['a million levels', post('['.repeat(1_000_000)), 400, 'BadRequest', 'nested deeper than 100'],
  ['__proto__', post(raw('{"title":"x","__proto__":{"a":1}}')), 400, 'BadRequest', '__proto__'],
  ['__proto__ as a label', post('{"metadata":{"labels":{"__proto__":"x"}}}'), 400, 'BadRequest', '__proto__'],
  [
    // Promise: contract 1.6
    'another media type',
    post('x', { headers: { 'content-type': 'text/plain' } }),
    415,
    'UnsupportedMediaType',
    'application/json',
  ],
  [
    // Promise: contract 6
    'a form',
    post('a=1', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    415,
    'UnsupportedMediaType',
    'application/yaml',
  ],
  ['an invalid media type', post('{}', { headers: { 'content-type': ';;;' } }), 400, 'Invalid', 'spec: Required value'],
  ['broken YAML', post('a: [1', { headers: { 'content-type': 'application/yaml' } }), 400, 'BadRequest', /./],
  [
    'two YAML documents',
    post('a: 1\n---\nb: 2\n', { headers: { 'content-type': 'application/yaml' } }),
    400,
    'BadRequest',
    /document/,
  ],
  // Promise: contract 5.1
  ['another kind', post({ ...(folder('x') as object), kind: 'Dashboard' }), 400, 'BadRequest', 'the kind in the data'],
  [
    'another version',
    post({ ...(folder('x') as object), apiVersion: 'v1' }),
    400,
    'BadRequest',
    'the API version in the data',
  ],
  [
    'a kind that is not a string',
    post({ kind: {}, apiVersion: [] }),
    400,
    'BadRequest',
    'the kind in the data (object)',
  ],
  [
    // Promise: contract 5.1
    'another namespace',
    post({ metadata: { name: 'x', namespace: 'other' }, spec: { title: 'x' } }),
    400,
    'BadRequest',
    'namespace of the provided object',
  ],
  // Promise: contract 5.1
  ['metadata of another type', post({ metadata: 'x', spec: { title: 'x' } }), 400, 'BadRequest', 'metadata'],
  ['a number as name', post({ metadata: { name: 5 }, spec: { title: 'x' } }), 400, 'BadRequest', 'metadata.name'],
  [
    'labels of another type',
    post({ metadata: { name: 'x', labels: { a: 1 } }, spec: { title: 'x' } }),
    400,
    'BadRequest',
    'metadata.labels.a',
  ],
  [
    'a bad label',
    post({ metadata: { name: 'x', labels: { 'a b': 'c' } }, spec: { title: 'x' } }),
    400,
    'Invalid',
    'metadata.labels',
  ],
  [
    'a label too long',
    post({ metadata: { name: 'x', labels: { a: 'x'.repeat(64) } }, spec: { title: 'x' } }),
    400,
    'Invalid',
    '63 bytes',
  ],
  [
    'annotations too large',
    post({ metadata: { name: 'x', annotations: { a: 'x'.repeat(262_144) } }, spec: { title: 'x' } }),
    400,
    'Invalid',
    '262144 bytes',
  ],
  [
    'an owner without uid',
    post({
      metadata: { name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x' }] },
      spec: { title: 'x' },
    }),
    400,
    'Invalid',
    'metadata.ownerReferences.uid',
  ],
  [
    'an invalid time',
    post({ metadata: { name: 'x', creationTimestamp: 'now' }, spec: { title: 'x' } }),
    400,
    'BadRequest',
    'creationTimestamp',
  ],
  ['spec of another type', post({ metadata: { name: 'x' }, spec: [] }), 400, 'Invalid', 'spec'],
];

oneStore('bad bodies', (server) => {
  const folders = refuseAll(server, BODIES);
  it('may contain a null for an absent member, as YAML has for an empty value', async () => {
    const name = freshName();
    const sent = folder(name) as { readonly spec: object };
    const made = bodyOf(await folders.create({ ...sent, spec: { ...sent.spec, description: null } }), 201);
    expect(made.spec).to.not.have.property('description');
    const withoutTitle = await folders.create({ ...sent, metadata: { name: freshName() }, spec: { title: null } });
    expectStatus(withoutTitle, 400, 'Invalid', 'spec.title: Required value');
  });
});
