import { badRequest } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { Application, type Operation } from './application.js';
import { type Pointer, parsePointer, Unfit } from './pointer.js';

export type JsonPatch = readonly Operation[];

const MAX_OPERATIONS = 10_000;
/** The operations of one step. */
const OPERATIONS = 500;
/** No body may have this key (`decodeJson`). Others, such as `constructor`, are ordinary. */
const FORBIDDEN = '__proto__';

/** Reads a decoded body. Throws 400 if it is not a JSON Patch (RFC 6902), and 413 for more than 10,000 operations. */
export function parseJsonPatch(body: unknown): JsonPatch {
  if (!Array.isArray(body)) throw badRequest('a JSON patch must be an array of operations');
  if (body.length > MAX_OPERATIONS) {
    const message = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${body.length}`;
    throw new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
  }
  return body.map(parseOperation);
}

/**
 * Returns the patched document (RFC 6902) and leaves the original unchanged. Throws 422 if a path does not exist or a
 * test fails, and 413 if the patch copies more than 3 MiB or takes too long. It is done in steps, because a patch may
 * have many operations.
 */
export function* jsonPatchSteps(document: unknown, patch: JsonPatch): Generator<undefined, unknown, undefined> {
  const application = new Application(document);
  for (const [index, operation] of patch.entries()) {
    if (index % OPERATIONS === OPERATIONS - 1) yield;
    try {
      yield* application.apply(operation);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      const path = JSON.stringify(operation.path.text.slice(0, 200));
      throw invalidPatch(`operation ${index}, ${operation.op} ${path}: ${error.message}`);
    }
  }
  return (yield* application.result()) ?? refuseEmpty();
}

function refuseEmpty(): never {
  throw invalidPatch('it removes the whole object');
}

/** Kubernetes' generic Invalid. It has no details, so that kubectl shows the message. */
function invalidPatch(detail: string): ApiError {
  return new ApiError({ code: 422, reason: 'Invalid', message: `the patch cannot be applied: ${detail}` });
}

function parseOperation(operation: unknown, index: number): Operation {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    throw malformed(index, 'must be an object');
  }
  const { op, path, from, value } = operation as Readonly<Record<string, unknown>>;
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      // As in Kubernetes, a value that is left out is null.
      return { op, path: parsePath(index, 'path', path), value: value ?? null };
    case 'remove':
      return { op, path: parsePath(index, 'path', path) };
    case 'move':
    case 'copy':
      return { op, path: parsePath(index, 'path', path), from: parsePath(index, 'from', from) };
    default:
      throw malformed(index, 'op must be one of add, copy, move, remove, replace, test');
  }
}

const MEMBERS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);
const MOST_NAMED = 100;

/** The paths of members of operations that mean nothing: `[0].extra`. RFC 6902 ignores them. At most a hundred. */
export function unknownMembers(body: unknown): readonly string[] {
  const unknown: string[] = [];
  for (const [index, operation] of (body as readonly object[]).entries()) {
    for (const name of Object.keys(operation)) if (!MEMBERS.has(name)) unknown.push(`[${index}].${name}`);
    if (unknown.length >= MOST_NAMED) break;
  }
  return unknown.slice(0, MOST_NAMED);
}

function parsePath(index: number, field: 'path' | 'from', text: unknown): Pointer {
  const pointer = typeof text === 'string' ? parsePointer(text) : undefined;
  if (pointer === undefined) throw malformed(index, `${field} must be a JSON pointer such as /spec/title`);
  if (pointer.tokens.includes(FORBIDDEN)) throw malformed(index, `${field} must not go through ${FORBIDDEN}`);
  return pointer;
}

const malformed = (index: number, detail: string): ApiError =>
  badRequest(`the JSON patch is malformed: operation ${index}: ${detail}`);
