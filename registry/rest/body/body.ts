import type { ApiRequest } from '../../../pkg/http/handler.js';
import { isYaml, mediaTypeOf } from '../../../pkg/http/media-type.js';
import { type Decoded, decodeJson, decodeYaml, keptAhead } from '../../../pkg/kube/json/decode.js';
import { decodeKubernetesProtobuf } from '../../../pkg/kube/protobuf/decode.js';
import { PROTOBUF_MEDIA_TYPE } from '../../../pkg/kube/protobuf/types.js';
import { badRequest, invalid, unsupportedMediaType } from '../../../pkg/kube/status/errors.js';
import { runStepsYielding, yieldIfLarge } from '../../../pkg/system/yielding/yielding.js';
import { type DecodedObject, decodeSteps, type ObjectPart } from '../../decode/decode.js';
import type { Kind } from '../../kinds/kind.js';
import { warned } from '../answer/answer.js';
import { OPTIONS } from '../options/write-options.js';

const JSON_BODY = 'application/json';
const YAML_BODY = 'application/yaml';
const ACCEPTED = [JSON_BODY, YAML_BODY];

/** The media type of the body in lower case, without parameters. JSON if the client names none. */
export const mediaType = (request: ApiRequest): string => mediaTypeOf(request) ?? JSON_BODY;

/** Throws 400 for a body that cannot be parsed, and 415 for another media type. */
export function decodeBody(request: ApiRequest): Decoded {
  if (request.body.byteLength === 0) throw badRequest('the request needs a body');
  return auditDecoded(request, decode(request));
}

/** Shows the audit log a decoded body. */
export function auditDecoded(request: ApiRequest, decoded: Decoded): Decoded {
  if (request.audit !== undefined) request.audit.body = decoded.value;
  return decoded;
}

export function decodeProtobuf({ body, limits }: ApiRequest): Decoded {
  return keptAhead(body) ?? { value: decodeKubernetesProtobuf(body, limits), duplicates: [] };
}

function decode(request: ApiRequest): Decoded {
  const type = mediaType(request);
  if (isYaml(type)) return decodeYaml(request.body, request.limits);
  if (type === JSON_BODY || type === 'text/json') return decodeJson(request.body, request.limits);
  // Go's typed clients send it for the kinds that Kubernetes defines.
  if (type === PROTOBUF_MEDIA_TYPE) return decodeProtobuf(request);
  throw unsupportedMediaType(ACCEPTED);
}

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** Throws 422 for another value. */
export function fieldValidationOf({ query, method }: Pick<ApiRequest, 'query' | 'method'>): FieldValidation {
  const text = query.get('fieldValidation') || 'Warn';
  if (text === 'Strict' || text === 'Warn' || text === 'Ignore') return text;
  const message = `Unsupported value: ${JSON.stringify(text.slice(0, 100))}: supported values: "", "Ignore", "Strict", "Warn"`;
  const options = { group: 'meta.k8s.io', kind: OPTIONS[method] ?? 'CreateOptions' };
  throw invalid(options, '', [{ reason: 'FieldValueNotSupported', message, field: 'fieldValidation' }]);
}

/** The problems with the fields of a body, in Kubernetes' words and order: `unknown field "spec.foo"`. */
export function fieldProblems(
  duplicates: readonly string[],
  { unknownFields }: Pick<DecodedObject, 'unknownFields'>,
): readonly string[] {
  return [
    ...duplicates.slice(0, MOST_NAMED).map((field) => `duplicate field ${quoted(field)}`),
    ...[...unknownFields]
      .sort()
      .slice(0, MOST_NAMED)
      .map((field) => `unknown field ${quoted(field)}`),
  ];
}

/** A body of 3 MiB may consist of unknown fields, or of one field with a very long name. */
const MOST_NAMED = 100;

function quoted(field: string): string {
  return JSON.stringify(field.slice(0, 300));
}

/** Throws 400 with Strict. Otherwise returns the warnings. */
export function checkFields(
  kind: Pick<Kind, 'kind' | 'version'>,
  problems: readonly string[],
  validation: FieldValidation,
): readonly string[] {
  if (problems.length === 0 || validation === 'Ignore') return [];
  if (validation === 'Warn') return problems;
  throw badRequest(
    `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: strict decoding error: ${problems.join(', ')}`,
  );
}

/** Kubernetes' warning about owners that a body has twice. */
export function ownerWarnings({ repeatedOwners: uids }: DecodedObject, when = ''): readonly string[] {
  if (uids.length === 0) return [];
  const named = uids.slice(0, MOST_NAMED).join(', ').slice(0, 1000);
  return [
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${named}`,
  ];
}

interface ObjectBody {
  readonly object: DecodedObject['object'];
  readonly raw: unknown;
  readonly warnings: readonly string[];
}

/**
 * Decodes the body as an object of the kind, and applies fieldValidation. Others get their turns after each step of it.
 */
export async function decodeObjectBody(
  request: ApiRequest,
  kind: Kind,
  part: ObjectPart = 'spec',
): Promise<ObjectBody> {
  const validation = fieldValidationOf(request);
  const { value, duplicates } = decodeBody(request);
  await yieldIfLarge(request.body);
  const check = (unknownFields: readonly string[]): readonly string[] =>
    warned(request, checkFields(kind, fieldProblems(duplicates, { unknownFields }), validation));
  const decoded = await runStepsYielding(decodeSteps(kind, value, part, { isBody: true, onUnknown: check }));
  const warnings = warned(request, [...check(decoded.unknownFields), ...ownerWarnings(decoded)]);
  await yieldIfLarge(request.body);
  return { object: decoded.object, raw: value, warnings };
}
