import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/system/testing/runs.js';
import { QUERY_VALUES } from '../fuzz/values.js';
import type { CallOptions } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { folder, foldersOf, PARENT } from './folders.js';

const NAMES = ['a', 'b', 'c', 'general', 'a%2Fb', '..', '%00', '%', '__proto__', 'x'.repeat(41), '', 'constructor'];
const RUNS = runs(300);

/** Mostly the usual value, so that many requests are valid except for one value. */
function often<T>(usual: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}

/** Adds the media type that matches a patch, unless the headers have one. */
function withPatchType(method: string, headers: object, body: unknown): Readonly<Record<string, string>> {
  const type = Array.isArray(body) ? 'application/json-patch+json' : 'application/merge-patch+json';
  return { ...(method === 'PATCH' ? { 'content-type': type } : {}), ...headers };
}

const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') },
  fc.constantFrom(...NAMES),
  fc.string({ unit: 'grapheme-composite', maxLength: 10 }).map((text) => encodeURIComponent(text)),
);
const path = fc.oneof(
  { weight: 6, arbitrary: segment.map((name) => `/apis/folder.svc.app/v1beta1/namespaces/default/folders/${name}`) },
  { weight: 4, arbitrary: fc.constant('/apis/folder.svc.app/v1beta1/namespaces/default/folders') },
  { weight: 1, arbitrary: fc.array(segment, { maxLength: 8 }).map((all) => `/apis/${all.join('/')}`) },
  { weight: 1, arbitrary: segment.map((name) => `/apis/folder.svc.app/v1beta1/namespaces/${name}/folders`) },
);

const value = fc.oneof(fc.constantFrom(...QUERY_VALUES), fc.string({ maxLength: 10 }));
const parameter = fc.constantFrom(
  ...['watch', 'limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'labelSelector', 'fieldSelector'],
  ...['allowWatchBookmarks', 'sendInitialEvents', 'dryRun', 'fieldManager', 'fieldValidation', 'force', 'pretty'],
  ...['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'forceDeleteRules', 'includeObject', 'nonsense'],
);
// There are no large numbers, because a request waits for a revision in the future.
const query = often({}, fc.dictionary(parameter, value, { maxKeys: 3 })).map((all) => ({
  ...all,
  timeoutSeconds: '1',
}));

const name = fc.constantFrom('a', 'b', 'c', 'd', 'general', '', 'x y');
const anyMetadata = fc.record(
  {
    name,
    generateName: fc.constantFrom('g-', '', '/'),
    namespace: fc.constantFrom('default', 'other', ''),
    uid: fc.constantFrom('', 'u'),
    resourceVersion: fc.constantFrom('', '1', 'x'),
    annotations: fc.record({ [PARENT]: name }, { requiredKeys: [] }),
    labels: fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), { maxKeys: 2 }),
    finalizers: fc.array(fc.constantFrom('example.com/a', 'b', ''), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const metadata = fc.oneof(
  fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), annotations: fc.record({ [PARENT]: name }) }),
  fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd') }),
  anyMetadata,
);
const anySpec = fc.record(
  { title: fc.string({ maxLength: 5 }), description: fc.string({ maxLength: 5 }) },
  { requiredKeys: [] },
);
const spec = fc.oneof(fc.record({ title: fc.constantFrom('x', 'y') }), anySpec);
const object = fc.oneof(
  fc.record({ metadata, spec }),
  fc.record({ metadata, spec }, { requiredKeys: [] }),
  fc
    .record({ metadata, spec, finalizers: fc.constant(null) }, { requiredKeys: [] })
    .map((body) => ({ apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', ...body })),
);
const operation = fc.record(
  {
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
    path: fc.constantFrom(
      '',
      '/',
      '/spec/title',
      '/metadata',
      '/metadata/name',
      '/metadata/labels',
      '/__proto__/x',
      '/-',
      'x',
    ),
    from: fc.constantFrom('/spec', '/metadata/labels', ''),
    value: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['op', 'path'] },
);
const body = fc.oneof(
  { weight: 5, arbitrary: object },
  { weight: 2, arbitrary: fc.array(operation, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const anyHeaders = fc.record(
  {
    'content-type': fc.constantFrom(
      ...['application/json', 'application/yaml', 'text/plain', '', 'application/vnd.kubernetes.protobuf'],
      ...['application/merge-patch+json', 'application/json-patch+json', 'application/apply-patch+yaml'],
    ),
    accept: fc.constantFrom(
      '*/*',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'text/html',
      'application/json;as=x',
      ';',
    ),
    'if-match': fc.constantFrom('*', '"1"', 'x'),
  },
  { requiredKeys: [] },
);
const headers = often({}, anyHeaders);
const method = fc.constantFrom(
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'PUT',
  'PATCH',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
);

const COLLECTION = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const good = fc.constantFrom('a', 'b', 'c', 'd');

/** A method, a path and a body that fit together. The members of the body may have any value. */
const sensible = fc.oneof(
  object.map((content) => ['POST', COLLECTION, content] as const),
  fc.tuple(good, metadata, spec).map(([one, meta, content]) => {
    return ['PUT', `${COLLECTION}/${one}`, { metadata: { ...meta, name: one }, spec: content }] as const;
  }),
  fc.tuple(good, object).map(([one, content]) => ['PATCH', `${COLLECTION}/${one}`, content] as const),
  fc
    .tuple(good, fc.array(operation, { maxLength: 3 }))
    .map(([one, content]) => ['PATCH', `${COLLECTION}/${one}`, content] as const),
  good.map((one) => ['DELETE', `${COLLECTION}/${one}`, undefined] as const),
);
const target = fc.oneof(sensible, fc.tuple(method, path, body));

eachStore('any method, path, query, headers and body', (server) => {
  const folders = foldersOf(server);
  before(async () => {
    for (const one of ['a', 'b']) await folders.create(folder(one));
  });

  it('never answer 5xx, and change nothing if they are refused', async function fuzz() {
    this.timeout(300_000);
    let writes = 0;
    await fc.assert(
      fc.asyncProperty(target, query, headers, async ([verb, where, content], parameters, head) => {
        const before = await server().end();
        const options: CallOptions = {
          query: parameters,
          headers: withPatchType(verb, head, content),
          body: content,
        };
        const answer = await server().call(verb, where, options);
        expect(answer.status, `${answer.text} ${answer.failure}`).to.be.below(500);
        const after = await server().end();
        if (after > before) writes++;
        if (answer.status >= 300) {
          expect(after, 'the end of the log').to.equal(before);
          // The body of a 412 may be different from a Status, and a HEAD has no body.
          const failure = answer.status === 412 ? {} : { kind: 'Status', status: 'Failure', code: answer.status };
          if (verb !== 'HEAD') expect(answer.json()).to.include(failure);
        } else if (verb === 'GET' && answer.text === '') {
          await answer.frames.close();
        }
      }),
      { numRuns: RUNS },
    );
    expect(writes, 'requests that changed something').to.be.greaterThan(RUNS / 100);
  });
});
