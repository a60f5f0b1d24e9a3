import { z } from 'zod';
import type { ApiRequest } from '../../pkg/http/handler.js';
import { isJson, mediaTypeOf } from '../../pkg/http/media-type.js';
import { siteOf } from '../../pkg/http/peer.js';
import { isBasic } from '../../pkg/identity/authn/basic.js';
import { isSameOrigin } from '../../pkg/identity/authn/origin.js';
import { parseSent } from '../../pkg/kube/json/corrected.js';
import { type Decoded, decodeJson } from '../../pkg/kube/json/decode.js';
import { issuesWithMessages } from '../../pkg/kube/json/parse-schema.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { fieldProblems } from '../rest/body/body.js';
import { badRequestData, plainFailure } from './errors.js';
import { allUnknown, namesIn, unknownIn, withKnownNames } from './members.js';

/**
 * Reads the body as JSON. An empty body or `null` is an empty object. Scripts with a bearer token may name any content
 * type, as `curl -d` does. Names of members may be in any case. Members that the schema does not have are ignored,
 * because existing clients send what they have read, and `onIgnored` gets warnings of those that are not in answers.
 * But a body that has members, all of them unknown, is refused. Routes without a schema ignore the body. Throws 400
 * "bad request data: <field>: <reason>", and 415 for a type that a form on a page of another site could have.
 */
export function legacyBody<T>(request: ApiRequest, schema: z.ZodType<T>, ignored: Ignored = {}): T {
  checkMediaType(request);
  const { value, duplicates } = decoded(request);
  if (request.audit !== undefined) request.audit.body = value ?? {};
  return parsedBody({ value: value ?? {}, duplicates }, schema, ignored);
}

interface Ignored {
  /** Gets warnings in the words of the resource API: `unknown field "foo"`. */
  readonly onIgnored?: (warnings: readonly string[]) => void;
  /** Members of answers. They cause no warnings. */
  readonly answerMembers?: readonly string[];
  /** Those of `answerMembers` that cause warnings, because the body asks for a new thing that has them. */
  readonly ignoredMembers?: (schema: z.ZodType, body: unknown) => readonly string[];
  /** Gets the body with the names that the schema has. What it throws, refuses the body. */
  readonly onRead?: (body: unknown) => void;
}

function parsedBody<T>(
  { value, duplicates }: Decoded,
  schema: z.ZodType<T>,
  { onIgnored, answerMembers, ignoredMembers, onRead }: Ignored,
): T {
  const doubled = [...duplicates];
  const named = withKnownNames(schema, value, (path) => doubled.push(path));
  const { data, issues } = parseSent(schema, named);
  if (issues.length > 0) throw refusal(issuesWithMessages(issues));
  const unknown = allUnknown(schema, named);
  if (unknown.length > 0) throw badRequestData(undefined, nothingKnown(unknown, namesIn(schema)));
  onRead?.(named);
  const unknownFields = [...(ignoredMembers?.(schema, named) ?? []), ...unknownIn(schema, named, answerMembers)];
  onIgnored?.(fieldProblems(doubled, { unknownFields }));
  return data as T;
}

/** The most unknown members that a message names. */
const NAMED = 10;

function nothingKnown(unknown: readonly string[], known: readonly string[]): string {
  const named = unknown.slice(0, NAMED).map((name) => JSON.stringify(name.slice(0, 100)));
  return `the body has no member that is known here: ${named.join(', ')}; there are ${known.join(', ')}`;
}

function refusal(issues: readonly z.core.$ZodIssue[]): ApiError {
  const error = new z.ZodError([...issues]);
  return badRequestData(error, reasonOf(error));
}

/** The first field that is wrong, and why: `permissions[0].permission: expected string, received undefined`. */
function reasonOf({ issues: [issue] }: z.ZodError): string | undefined {
  if (issue === undefined) return undefined;
  const path = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step).slice(0, 100)}`));
  const field = path.join('').replace(/^\./, '') || 'the body';
  return `${field}: ${issue.message.replace(/^Invalid input: /, '').replace(/, received undefined$/, ', but it is missing')}`;
}

function checkMediaType(request: ApiRequest): void {
  const type = mediaTypeOf(request);
  if (request.body.length === 0 || type === undefined || isJson(type) || isNoForeignForm(request)) return;
  throw plainFailure(415, 'the body must be JSON, with the header Content-Type: application/json');
}

/**
 * Whether no form on a page of another site can have sent the request. Either it has a credential that a browser does
 * not send by itself, such as a bearer token, or its origin is a page of this server.
 */
function isNoForeignForm(request: ApiRequest): boolean {
  const { authorization } = request.headers;
  return (authorization !== undefined && !isBasic(authorization)) || isSameOrigin(siteOf(request));
}

function decoded({ body, limits }: Pick<ApiRequest, 'body' | 'limits'>): Decoded {
  if (body.every((byte) => BLANKS.has(byte))) return { value: {}, duplicates: [] };
  try {
    return decodeJson(body, limits);
  } catch (error) {
    // A body that is too large is 413, as one with too many bytes is.
    if (error instanceof ApiError && error.code !== 400) throw error;
    throw badRequestData(error, error instanceof ApiError ? error.message : undefined);
  }
}

const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Whether the body is empty, `{}`, `[]`, `null` or `""`. */
export function saysNothing({ body }: Pick<ApiRequest, 'body'>): boolean {
  return (
    body.length <= LONGEST_EMPTY &&
    EMPTY.has(
      Buffer.from(body)
        .toString('latin1')
        .replaceAll(/[ \t\r\n]/g, ''),
    )
  );
}

const EMPTY: ReadonlySet<string> = new Set(['', '{}', '[]', 'null', '""']);
const LONGEST_EMPTY = 100;

/** Whether the body is JSON or empty. */
export function isReadable(request: Pick<ApiRequest, 'body' | 'limits'>): boolean {
  try {
    decoded(request);
    return true;
  } catch {
    return false;
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['false', false],
  ['0', false],
  ['true', true],
  ['1', true],
]);

/** A boolean parameter, in lower or upper case. False without it. Throws 400 for any other text. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = FLAGS.get((query.get(name) ?? '').toLowerCase());
  if (value === undefined) throw plainFailure(400, `${name} must be true or false`);
  return value;
}

/** A query parameter that is one of the values, or absent or empty. Throws 400 for any other text. */
export function oneOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = query.get(name) ?? '';
  const match = values.find((value) => value === text);
  if (match === undefined && text !== '') throw plainFailure(400, `${name} must be ${values.join(' or ')}`);
  return match;
}

/**
 * Whether only objects that the caller may change are to be found: `?permission=Edit`, in any case. Throws 400 for an
 * unknown permission.
 */
export function isEditOnly(query: URLSearchParams): boolean {
  const permission = (query.get('permission') ?? '').toLowerCase();
  if (!['', 'view', 'edit'].includes(permission)) throw plainFailure(400, 'permission must be View or Edit');
  return permission === 'edit';
}

/**
 * A query parameter that is an integer. Returns `fallback` for one below 1, as clients send 0 for none. Throws 400 for
 * any other text. Larger ones count as the largest, so that a page beyond the end stays one.
 */
export function positive(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? '';
  if (text !== '' && !/^-?[0-9]+$/.test(text)) throw plainFailure(400, `${name} must be a whole number`);
  const value = Math.min(Number(text), LARGEST);
  return value > 0 ? value : fallback;
}

const LARGEST = 999_999_999;
