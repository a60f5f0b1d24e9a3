import fc from 'fast-check';
import type { Body } from '../harness/body.js';
import { valuesOf } from '../kinds/suite/arbitrary.js';
import { type Operation, queryOf } from './operations.js';
import { nearly, rubbish, STRANGE, strangeHeaders, strangeSegment } from './values.js';

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Stored = ReadonlyMap<string, readonly Body[]>;

/** Requests of every operation of the OpenAPI documents. Most of them are valid except for one or two values. */
export function resourceRequests(operations: readonly Operation[], stored: Stored): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(...operations.map((operation) => requestsOf(operation, stored)));
}

function requestsOf(operation: Operation, stored: Stored): fc.Arbitrary<FuzzRequest> {
  const objects = stored.get(operation.resource) ?? [];
  const target = fc.oneof(...(objects.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...objects) }] : []), {
    weight: 1,
    arbitrary: fc.constantFrom({ metadata: { name: 'a', namespace: 'default' } } as Body),
  });
  const method = fc.oneof(
    { weight: 15, arbitrary: fc.constant(operation.method) },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE') },
  );
  return target.chain((object) =>
    fc
      .record({
        method,
        path: pathOf(operation, object),
        query: queryOf(operation),
        headers: strangeHeaders,
        content: contentOf(operation, object),
      })
      .map(({ headers, content: { type, body }, ...request }) => {
        if (request.method === 'GET' || request.method === 'HEAD') return { ...request, headers };
        return { ...request, headers: { ...(type !== '' && { 'content-type': type }), ...headers }, body };
      }),
  );
}

function pathOf({ template }: Operation, { metadata }: Body): fc.Arbitrary<string> {
  const usually = (usual: string, others: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(usual) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
      { weight: 1, arbitrary: strangeSegment },
    );
  return fc
    .tuple(
      usually(metadata.namespace ?? 'default', ['default', 'other', 'nowhere']),
      usually(encodeURIComponent(metadata.name), ['a', 'missing', 'viewer']),
    )
    .map(([namespace, name]) => template.replace('{namespace}', namespace).replace('{name}', name));
}

interface Content {
  readonly type: string;
  readonly body?: unknown;
}

/** Usually a body of a type that the operation takes, changed in a place or two. */
function contentOf({ method, schema, type, contentTypes }: Operation, object: Body): fc.Arbitrary<Content> {
  const { metadata } = object;
  const stored = fc.constantFrom(
    object,
    { ...object, metadata: { name: metadata.name, namespace: metadata.namespace } },
    { ...object, metadata: { generateName: 'g-' } },
    { spec: object.spec },
  );
  const described = valuesOf(schema ?? {}).map((value) => ({ ...type, ...Object(value), ...type }));
  const patches = contentTypes.filter((one) => !one.includes('json-patch'));
  const of = (types: readonly string[], bodies: fc.Arbitrary<unknown>): fc.Arbitrary<Content> =>
    fc.record({ type: fc.constantFrom(...types, ...(types.length === 0 ? ['application/json'] : [])), body: bodies });
  return fc.oneof(
    { weight: method === 'DELETE' ? 12 : 0, arbitrary: fc.constant({ type: '' }) },
    { weight: method === 'DELETE' ? 0 : 6, arbitrary: of(patches, nearly(stored)) },
    { weight: 3, arbitrary: of(patches, nearly(described)) },
    { weight: method === 'PATCH' ? 4 : 0, arbitrary: of(['application/json-patch+json'], jsonPatch(object)) },
    { weight: 1, arbitrary: of(contentTypes, rubbish) },
  );
}

function jsonPatch(object: Body): fc.Arbitrary<unknown> {
  const paths = ['', '/', '/-', 'x', '/__proto__/x', '/metadata/labels', '/metadata/name', '/spec'];
  const own = Object.keys(object.spec ?? {}).map((field) => `/spec/${field}`);
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
      path: fc.constantFrom(...paths, ...own),
      from: fc.constantFrom(...paths),
      value: fc.constantFrom(...STRANGE),
    },
    { requiredKeys: ['op', 'path'] },
  );
  return fc.array(operation, { maxLength: 3 });
}
