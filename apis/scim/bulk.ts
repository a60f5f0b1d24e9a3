import { asApiError } from '../../pkg/http/errors.js';
import type { ApiResponse } from '../../pkg/http/handler.js';
import { errorBody, invalidSyntax, invalidValue, ScimError } from '../../pkg/scim/errors.js';
import type { Resource } from '../../pkg/scim/match.js';
import { isMembers } from '../../pkg/scim/resource.js';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import { apiErrorOf } from '../../registry/signals/storage-errors.js';
import type { ScimCall } from './call.js';
import { MOST_OPERATIONS } from './discovery.js';

const BULK = 'urn:ietf:params:scim:api:messages:2.0:Bulk';
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const REFERENCE = /^bulkId:(.+)$/;
const PATH_REFERENCE = /bulkId:([^/?]+)/;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly bulkId: string | undefined;
  readonly version: string | undefined;
  readonly data: unknown;
  /** The bulkIds that it names. Those that an operation has made are taken off the end. */
  readonly references: string[];
}

/** Answers one operation. */
export type Dispatch = (call: ScimCall, path: string) => Promise<ApiResponse> | ApiResponse;

/**
 * Does the operations one after another, each in a commit of its own (RFC 7644 §3.7). One that names the bulkId of a
 * later one waits for it. After `failOnErrors` failures, the rest is not done.
 */
export async function bulk(call: ScimCall, dispatch: Dispatch): Promise<ApiResponse> {
  const { operations, failOnErrors } = readBulk(call.body());
  const ids = new Map<string, string>();
  const results = new Map<Operation, Resource>();
  let errors = 0;
  let waiting: readonly Operation[] = operations;
  const run = async (operation: Operation): Promise<void> => {
    const result = await resultOf(call, operation, ids, dispatch);
    results.set(operation, result);
    await yieldToLoop();
    if (Number(result['status']) >= 400) errors++;
  };
  const isOver = (): boolean => failOnErrors !== undefined && errors >= failOnErrors;
  while (waiting.length > 0 && !isOver()) {
    const later: Operation[] = [];
    for (const operation of waiting) {
      if (isOver() || call.request.cancellation?.aborted === true) break;
      if (missingReference(operation, ids) !== undefined) later.push(operation);
      else await run(operation);
    }
    await yieldToLoop();
    if (later.length === waiting.length) {
      for (const operation of later) if (!isOver()) await run(operation);
      break;
    }
    waiting = later;
  }
  const done = operations.flatMap((operation) => results.get(operation) ?? []);
  return call.answer(200, { schemas: [`${BULK}Response`], Operations: done });
}

function readBulk(body: unknown): {
  readonly operations: readonly Operation[];
  readonly failOnErrors: number | undefined;
} {
  if (!isMembers(body)) throw invalidSyntax('the body must be a JSON object');
  const { schemas, Operations: operations, failOnErrors, ...others } = body;
  if (!Array.isArray(schemas) || !schemas.includes(`${BULK}Request`))
    throw invalidSyntax(`schemas must name ${BULK}Request`);
  const [other] = Object.keys(others);
  if (other !== undefined) throw invalidSyntax(`a bulk request has no ${JSON.stringify(other.slice(0, 100))}`);
  if (!Array.isArray(operations) || operations.length === 0) throw invalidSyntax('Operations must have an operation');
  if (operations.length > MOST_OPERATIONS)
    throw new ScimError(413, undefined, `a bulk request has at most ${MOST_OPERATIONS} operations`);
  if (failOnErrors != null && (typeof failOnErrors !== 'number' || !Number.isInteger(failOnErrors) || failOnErrors < 1))
    throw invalidValue('failOnErrors must be a positive integer');
  const read = operations.map(readOperation);
  const ids = read.flatMap(({ bulkId }) => bulkId ?? []);
  if (new Set(ids).size < ids.length) throw invalidValue('two operations have the same bulkId');
  return { operations: read, failOnErrors: (failOnErrors ?? undefined) as number | undefined };
}

function readOperation(operation: unknown): Operation {
  if (!isMembers(operation)) throw invalidSyntax('an operation must be an object');
  const { path, bulkId, version, data } = operation;
  const method = String(operation['method']).toUpperCase();
  if (!METHODS.includes(method)) throw invalidSyntax('the method of an operation is POST, PUT, PATCH or DELETE');
  if (typeof path !== 'string' || !/^\/(Users|Groups)(\/[^/?]+)?$/.test(path))
    throw invalidSyntax('the path of an operation is /Users or /Groups, with an id if the method is not POST');
  // A POST with an id would be a search, which reads many objects.
  if ((method === 'POST') !== /^\/(Users|Groups)$/.test(path))
    throw invalidSyntax('a POST of a bulk request is to /Users or /Groups, and others name an id');
  if (method === 'POST' && (typeof bulkId !== 'string' || bulkId === '')) throw invalidSyntax('a POST needs a bulkId');
  const [, inPath] = PATH_REFERENCE.exec(path) ?? [];
  const references = new Set([...(inPath === undefined ? [] : [inPath]), ...referencesIn(data)]);
  return {
    method,
    path,
    bulkId: typeof bulkId === 'string' ? bulkId : undefined,
    version: typeof version === 'string' ? version : undefined,
    data,
    references: [...references],
  };
}

async function resultOf(
  call: ScimCall,
  operation: Operation,
  ids: Map<string, string>,
  dispatch: Dispatch,
): Promise<Resource> {
  const { method, bulkId, version } = operation;
  const answered = { method, ...(bulkId !== undefined && { bulkId }) };
  let location = method === 'POST' ? undefined : `${call.base}${operation.path}`;
  try {
    const missing = missingReference(operation, ids);
    if (missing !== undefined) throw new ScimError(409, 'invalidValue', `no operation made ${JSON.stringify(missing)}`);
    const path = operation.path.replace(PATH_REFERENCE, (_, id: string) => ids.get(id) ?? '');
    if (method !== 'POST') location = `${call.base}${path}`;
    const data = operation.data === undefined ? undefined : resolved(operation.data, ids);
    const part = call.with({
      method,
      path,
      query: new URLSearchParams(),
      headers: { ...(version !== undefined && { 'if-match': version }) },
      body: data === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(data)),
    });
    const { status, headers } = await dispatch(part, path);
    location = (headers['location'] as string | undefined) ?? location;
    if (bulkId !== undefined && method === 'POST') ids.set(bulkId, location?.split('/').at(-1) ?? '');
    const { etag } = headers;
    return { ...answered, location, ...(etag !== undefined && { version: etag }), status: String(status) };
  } catch (error) {
    const failure = asApiError(apiErrorOf(error));
    if (failure.code >= 500) call.request.fault = error;
    const { status, ...rest } = errorBody(failure);
    return { ...answered, ...(location !== undefined && { location }), status, response: { ...rest, status } };
  }
}

/**
 * A bulkId that an operation names and that no operation has made so far. Looks at each one once until it is made,
 * because many operations may wait for many others.
 */
function missingReference({ references }: Operation, ids: ReadonlyMap<string, string>): string | undefined {
  for (let last = references.at(-1); last !== undefined; last = references.at(-1)) {
    if (!ids.has(last)) return last;
    references.pop();
  }
  return undefined;
}

function* referencesIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value === 'string') {
    const [, id] = REFERENCE.exec(value) ?? [];
    if (id !== undefined) yield id;
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) yield* referencesIn(member);
  }
}

function resolved(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const [, id] = REFERENCE.exec(value) ?? [];
    return id === undefined ? value : (ids.get(id) ?? value);
  }
  if (Array.isArray(value)) return value.map((one) => resolved(one, ids));
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member, ids)]));
}
