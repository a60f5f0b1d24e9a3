import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import type { CallOptions } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { folder, foldersOf } from './folders.js';

type Call = readonly [method: string, path: string, options?: CallOptions];
type Refusal = readonly [what: string, call: Call, code: number, reason: string, message: RegExp | string];

const GROUP = '/apis/folder.svc.app/v1beta1';
const P = `${GROUP}/namespaces/default/folders`;
const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const post = (body: unknown, options: CallOptions = {}): Call => ['POST', P, { ...options, body }];
const merge = (body: unknown): Call => ['PATCH', `${P}/kept`, { headers: MERGE, body }];
const jsonPatch = (body: unknown): Call => ['PATCH', `${P}/kept`, { headers: JSON_PATCH, body }];
const list = (query: string): Call => ['GET', `${P}?${query}`];
const raw = (spec: string): string =>
  `{"apiVersion":"folder.svc.app/v1beta1","kind":"Folder","metadata":{"name":"raw"},"spec":${spec}}`;

const BODIES: readonly Refusal[] = [
  ['no body', post(undefined), 400, 'BadRequest', 'needs a body'],
  ['an empty body', post(''), 400, 'BadRequest', 'needs a body'],
  ['only blanks', post('  \n'), 400, 'BadRequest', 'empty'],
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
    'another media type',
    post('x', { headers: { 'content-type': 'text/plain' } }),
    415,
    'UnsupportedMediaType',
    'application/json',
  ],
  [
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
    'another namespace',
    post({ metadata: { name: 'x', namespace: 'other' }, spec: { title: 'x' } }),
    400,
    'BadRequest',
    'namespace of the provided object',
  ],
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

const PATCHES: readonly Refusal[] = [
  ['a merge patch that is not an object', merge('[]'), 400, 'BadRequest', 'must be a JSON object'],
  ['a merge patch of null', merge('null'), 400, 'BadRequest', 'must be a JSON object'],
  ['an empty merge patch', merge(''), 400, 'BadRequest', /empty|body/],
  ['a merge patch with __proto__', merge('{"__proto__":{"polluted":1}}'), 400, 'BadRequest', '__proto__'],
  ['a merge patch to another kind', merge({ kind: 'Team' }), 400, 'BadRequest', 'the kind in the data'],
  ['a merge patch that removes metadata', merge({ metadata: null }), 400, 'BadRequest', 'metadata.name'],
  ['a merge patch of a wrong type', merge({ spec: { title: {} } }), 400, 'Invalid', 'spec.title'],
  ['a JSON patch that is not an array', jsonPatch({}), 400, 'BadRequest', /./],
  ['a JSON patch of numbers', jsonPatch([5]), 400, 'BadRequest', /./],
  ['an unknown operation', jsonPatch([{ op: 'explode', path: '' }]), 400, 'BadRequest', /./],
  ['an operation without a path', jsonPatch([{ op: 'add', value: 1 }]), 400, 'BadRequest', /./],
  ['a pointer without a slash', jsonPatch([{ op: 'add', path: 'spec', value: 1 }]), 400, 'BadRequest', /./],
  [
    'a pointer to __proto__',
    jsonPatch([{ op: 'add', path: '/__proto__/polluted', value: 1 }]),
    400,
    'BadRequest',
    'must not go through __proto__',
  ],
  [
    'a pointer to constructor.prototype',
    jsonPatch([{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }]),
    400,
    'BadRequest',
    'must not go through constructor',
  ],
  [
    'a patch of the whole to a text',
    jsonPatch([{ op: 'replace', path: '', value: 'x' }]),
    400,
    'BadRequest',
    /must be a JSON object/,
  ],
  [
    'a patch that removes the whole',
    jsonPatch([{ op: 'remove', path: '' }]),
    422,
    'Invalid',
    'it removes the whole object',
  ],
  [
    '10,001 operations',
    jsonPatch(Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'Folder' }))),
    413,
    'RequestEntityTooLarge',
    'maximum operations',
  ],
  ['force', ['PATCH', `${P}/kept?force=true`, { headers: MERGE, body: {} }], 422, 'Invalid', 'non-apply patch'],
  [
    'a patch of an unknown object',
    ['PATCH', `${P}/unknown`, { headers: MERGE, body: {} }],
    404,
    'NotFound',
    '"unknown" not found',
  ],
];

const PATHS: readonly Refusal[] = [
  ['an unknown name', ['GET', `${P}/unknown`], 404, 'NotFound', 'folders.folder.svc.app "unknown" not found'],
  ['an encoded slash', ['GET', `${P}/a%2Fb`], 404, 'NotFound', '"a/b" not found'],
  ['two dots', ['GET', `${P}/%2e%2e`], 404, 'NotFound', '".." not found'],
  ['NUL', ['GET', `${P}/a%00b`], 404, 'NotFound', 'not found'],
  ['41 characters', ['GET', `${P}/${'x'.repeat(41)}`], 404, 'NotFound', 'not found'],
  ['a broken encoding', ['GET', `${P}/%ff`], 400, 'BadRequest', 'percent-encoding'],
  ['half an encoding', ['GET', `${P}/%`], 400, 'BadRequest', 'percent-encoding'],
  ['PUT to a slash', ['PUT', `${P}/a%2Fb`, { body: folder('a/b') }], 404, 'NotFound', 'not found'],
  ['DELETE of two dots', ['DELETE', `${P}/..`], 404, 'NotFound', 'not found'],
  [
    'an unknown namespace: get',
    ['GET', `${P.replace('default', 'nowhere')}/a`],
    404,
    'NotFound',
    'namespaces "nowhere" not found',
  ],
  [
    'an unknown namespace: delete',
    ['DELETE', `${P.replace('default', 'nowhere')}/a`],
    404,
    'NotFound',
    'namespaces "nowhere" not found',
  ],
  [
    'an unknown namespace: create',
    ['POST', P.replace('default', 'nowhere'), { body: folder('a') }],
    404,
    'NotFound',
    'namespaces "nowhere" not found',
  ],
  [
    'a namespace with a slash',
    ['GET', P.replace('default', 'a%2Fb')],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  [
    'an unknown group',
    ['GET', '/apis/nothing.svc.app/v1/namespaces/default/folders'],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  ['an unknown version', ['GET', P.replace('v1beta1', 'v9')], 404, 'NotFound', 'could not find the requested resource'],
  [
    'an unknown resource',
    ['GET', P.replace('/folders', '/boats')],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  ['an unknown subresource', ['GET', `${P}/kept/soul`], 404, 'NotFound', 'could not find the requested resource'],
  [
    'a scale of a kind without replicas',
    ['GET', `${P}/kept/scale`],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  ['a path too long', ['GET', `${P}/kept/status/more`], 404, 'NotFound', 'could not find the requested resource'],
  ['an empty name', ['GET', `${P}//status`], 404, 'NotFound', 'could not find the requested resource'],
  [
    'POST to an object',
    ['POST', `${P}/kept`, { body: folder('kept') }],
    405,
    'MethodNotAllowed',
    'does not allow this method',
  ],
  ['PUT to a collection', ['PUT', P, { body: folder('kept') }], 405, 'MethodNotAllowed', 'does not allow this method'],
  [
    'PATCH of a collection',
    ['PATCH', P, { headers: MERGE, body: {} }],
    405,
    'MethodNotAllowed',
    'does not allow this method',
  ],
  ['another method', ['PROPFIND', `${P}/kept`], 405, 'MethodNotAllowed', 'does not allow this method'],
  [
    'a write without a namespace',
    ['POST', `${GROUP}/folders`, { body: folder('a') }],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  [
    'a deletecollection without a namespace',
    ['DELETE', `${GROUP}/folders`],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  [
    'a get without a namespace',
    ['GET', `${GROUP}/folders/kept`],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
];

const QUERIES: readonly Refusal[] = [
  ...['x', '-1', '1.5', '1e3', '0x10', '99999999999999999999', ' 1'].map(
    (text): Refusal => [
      `resourceVersion ${text}`,
      list(`resourceVersion=${encodeURIComponent(text)}`),
      400,
      'BadRequest',
      'invalid resource version',
    ],
  ),
  ...['x', '1.5', '1e3', '99999999999999999999'].map(
    (text): Refusal => [`limit ${text}`, list(`limit=${text}`), 400, 'BadRequest', 'limit'],
  ),
  ['timeoutSeconds', list('watch=true&timeoutSeconds=soon'), 400, 'BadRequest', 'timeoutSeconds must be an integer'],
  ['labelSelector', list('labelSelector=a%3D%3D%3Db'), 400, 'BadRequest', /./],
  ['labelSelector in', list('labelSelector=a%20in%20('), 400, 'BadRequest', /./],
  ['fieldSelector', list('fieldSelector=metadata.name'), 400, 'BadRequest', 'invalid selector'],
  [
    'fieldSelector of an unknown field',
    list('fieldSelector=spec.title%3Da'),
    400,
    'BadRequest',
    'field label not supported: spec.title',
  ],
  ['continue', list('continue=rubbish'), 400, 'BadRequest', 'invalid continue token'],
  [
    'fieldValidation',
    ['POST', `${P}?fieldValidation=strict`, { body: folder('q') }],
    422,
    'Invalid',
    'supported values: "", "Ignore", "Strict", "Warn"',
  ],
  ...(
    [
      ['CreateOptions', 'POST', P, { body: folder('q') }],
      ['UpdateOptions', 'PUT', `${P}/kept`, { body: folder('kept') }],
      ['PatchOptions', 'PATCH', `${P}/kept`, { headers: MERGE, body: {} }],
      ['DeleteOptions', 'DELETE', `${P}/kept`, {}],
      ['DeleteOptions', 'DELETE', P, {}],
    ] as const
  ).flatMap(([options, method, path, sent]): readonly Refusal[] => [
    [
      `dryRun on ${method} ${path}`,
      [method, `${path}?dryRun=true`, sent],
      422,
      'Invalid',
      `${options}.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["true"]: supported values: "All"`,
    ],
    [
      `fieldManager on ${method} ${path}`,
      [method, `${path}?fieldManager=${'x'.repeat(129)}`, sent],
      422,
      'Invalid',
      `${options}.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes`,
    ],
  ]),
  [
    'dryRun in the body of DELETE',
    ['DELETE', `${P}/kept`, { body: { dryRun: ['Some'] } }],
    422,
    'Invalid',
    'DeleteOptions.meta.k8s.io "" is invalid: dryRun',
  ],
  [
    'resourceVersionMatch on get',
    ['GET', `${P}/kept?resourceVersionMatch=Exact`],
    400,
    'BadRequest',
    'resourceVersionMatch',
  ],
  ['resourceVersion on get', ['GET', `${P}/kept?resourceVersion=x`], 400, 'BadRequest', 'invalid resource version'],
];

oneStore('bad input', (server) => {
  const folders = foldersOf(server);
  before(() => folders.make('kept', { labels: { a: 'b' } }));
  const call = ([method, path, options]: Call): Promise<Answer> => server().call(method, path, options);

  for (const [title, refusals] of Object.entries({
    bodies: BODIES,
    patches: PATCHES,
    paths: PATHS,
    queries: QUERIES,
  })) {
    describe(title, () => {
      for (const [what, request, code, reason, message] of refusals) {
        it(`${what}: ${code} ${reason}`, async () => {
          const before = await folders.read('kept');
          const answer = await changingNothing(server(), () => call(request));
          expectStatus(answer, code, reason, message);
          expect(answer.text.length, 'the answer is small').to.be.below(20_000);
          expect(await folders.read('kept')).to.deep.equal(before);
          expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
        });
      }
    });
  }

  it('gets 403 from a caller without permissions, whether the object exists or not', async () => {
    const user = { name: 'mallory', uid: 'm', groups: ['system:authenticated'], extra: {} };
    for (const [method, path] of [
      ['GET', `${P}/kept`],
      ['GET', `${P}/unknown`],
      ['GET', P],
      ['DELETE', P],
      ['GET', `${P}?watch=true`],
    ] as const) {
      const answer = await changingNothing(server(), () => server().call(method, path, { user }));
      expectStatus(answer, 403, 'Forbidden', 'User "mallory" cannot');
    }
  });

  it('may contain a null for an absent member, as YAML has for an empty value', async () => {
    const name = freshName();
    const sent = folder(name) as { readonly spec: object };
    const made = bodyOf(await folders.create({ ...sent, spec: { ...sent.spec, description: null } }), 201);
    expect(made.spec).to.not.have.property('description');
    const withoutTitle = await folders.create({ ...sent, metadata: { name: freshName() }, spec: { title: null } });
    expectStatus(withoutTitle, 400, 'Invalid', 'spec.title: Required value');
  });
});
