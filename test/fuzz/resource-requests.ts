import fc from 'fast-check';
import type { Body } from '../harness/body.js';
import { valuesOf } from '../kinds/suite/arbitrary.js';
import { type Operation, queryOf } from './operations.js';
import { changes, nearly, rubbish, STRANGE, strangeHeaders, strangeSegment, withChanges } from './values.js';

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The stored objects by resource (`folders`). */
export type Stored = ReadonlyMap<string, readonly Body[]>;

/**
 * Requests of every operation of the OpenAPI documents, and sometimes for a document. Most are valid except for one or
 * two values.
 */
export function resourceRequests(
  operations: readonly Operation[],
  stored: Stored,
  documents: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const reads = fc.record({ method: fc.constant('GET'), path: fc.constantFrom(...documents), headers: strangeHeaders });
  return fc.oneof(...operations.map((operation) => requestsOf(operation, stored)), {
    weight: 5,
    arbitrary: reads.map((read) => ({ ...read, query: {} })),
  });
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
  return fc
    .record({
      target,
      method,
      path: pathOf(operation),
      query: queryOf(operation),
      headers: strangeHeaders,
      content: contentOf(operation, objects),
    })
    .map(({ target, path, headers, content: { type, body }, ...request }) => {
      const sent = { ...request, path: path(target), headers };
      if (request.method === 'GET' || request.method === 'HEAD') return sent;
      return { ...sent, headers: { ...(type !== '' && { 'content-type': type }), ...headers }, body: body?.(target) };
    });
}

function pathOf({ template }: Operation): fc.Arbitrary<(object: Body) => string> {
  const usually = (others: readonly string[]): fc.Arbitrary<string | undefined> =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
      { weight: 1, arbitrary: strangeSegment },
    );
  return fc.tuple(usually(['default', 'other', 'nowhere']), usually(['a', 'missing', 'viewer'])).map(
    ([namespace, name]) =>
      ({ metadata }) =>
        template
          .replace('{namespace}', namespace ?? metadata.namespace ?? 'default')
          .replace('{name}', name ?? encodeURIComponent(metadata.name)),
  );
}

interface Content {
  readonly type: string;
  /** Makes the body from the object that the request is about. */
  readonly body?: (object: Body) => unknown;
}

/** The parts of a stored object that are sent. */
const FORMS: readonly ((object: Body) => unknown)[] = [
  (object) => object,
  ({ metadata, ...object }) => ({ ...object, metadata: { name: metadata.name, namespace: metadata.namespace } }),
  (object) => ({ ...object, metadata: { generateName: 'g-' } }),
  ({ spec }) => ({ spec }),
];

/** Usually a body of a type that the operation takes, with at most two changes. */
function contentOf({ method, schema, type, contentTypes }: Operation, objects: readonly Body[]): fc.Arbitrary<Content> {
  const stored = fc.tuple(fc.constantFrom(...FORMS), changes).map(
    ([form, made]) =>
      (object: Body) =>
        withChanges(form(object), made),
  );
  const described = valuesOf(schema ?? {}).map((value) => ({ ...type, ...Object(value), ...type }));
  const patches = contentTypes.filter((one) => !one.includes('json-patch'));
  const of = (types: readonly string[], body: fc.Arbitrary<(object: Body) => unknown>): fc.Arbitrary<Content> =>
    fc.record({ type: fc.constantFrom(...types, ...(types.length === 0 ? ['application/json'] : [])), body });
  return fc.oneof(
    { weight: method === 'DELETE' ? 12 : 0, arbitrary: fc.constant({ type: '' }) },
    { weight: method === 'DELETE' ? 0 : 6, arbitrary: of(patches, stored) },
    { weight: 3, arbitrary: of(patches, always(nearly(described))) },
    { weight: method === 'PATCH' ? 4 : 0, arbitrary: of(['application/json-patch+json'], always(jsonPatch(objects))) },
    { weight: 1, arbitrary: of(contentTypes, always(rubbish)) },
  );
}

const always = (values: fc.Arbitrary<unknown>): fc.Arbitrary<() => unknown> => values.map((value) => () => value);

function jsonPatch(objects: readonly Body[]): fc.Arbitrary<unknown> {
  const paths = ['', '/', '/-', 'x', '/__proto__/x', '/metadata/labels', '/metadata/name', '/spec'];
  const fields = new Set(objects.flatMap(({ spec }) => Object.keys(spec ?? {})));
  const own = [...fields].map((field) => `/spec/${field}`);
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
