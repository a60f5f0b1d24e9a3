import type { ApiRequest } from '../../pkg/http/exchange.js';
import { decodeJson } from '../../pkg/json/decode.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { applyJsonPatch, parseJsonPatch } from '../../pkg/patch/json-patch.js';
import { mergePatch } from '../../pkg/patch/merge.js';
import { badRequest, invalid, unsupportedMediaType } from '../../pkg/status/errors.js';
import { Client } from '../client.js';
import { decodeTyped } from '../decode.js';
import type { Kind } from '../kind.js';
import { checkPreconditions } from '../write/prepare.js';
import { type FieldValidation, fieldProblems, fieldValidationOf, mediaType } from './body.js';
import { renderObject } from './render.js';
import type { Target, Verb } from './verb.js';
import { adviceOn, warningHeaders } from './warnings.js';
import { writeOptions } from './write-options.js';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
/** The patch types that are taken, as discovery and 415 tell them. */
export const PATCH_TYPES = [JSON_PATCH, MERGE_PATCH] as const;

/** From a stored object to the patched one. Pure: a patch is evaluated again when another server wrote in between. */
type Patch = (old: unknown) => unknown;

/** PATCH of one object: evaluated on the stored object in the commit itself, so that concurrent patches need no retries. */
export const patch: Verb = async (request, target) => {
  const { kind, registry, info } = target;
  const { apply, duplicates } = parsePatch(request);
  const validation = fieldValidationOf(request.query);
  const options = writeOptions(request, target);
  if (request.query.has('force')) throw forbiddenForce(kind, info.name);
  let warnings: readonly string[] = [];
  let patched: KubeObject | undefined;
  const change = (old: KubeObject): KubeObject => {
    const decoded = decodeTyped(kind, apply(old));
    warnings = judge(kind, info.name, fieldProblems(duplicates, decoded), validation);
    patched = decoded.object;
    checkIdentity(target, old, decoded.object);
    return decoded.object;
  };
  const { value } = await new Client(registry, options).update(kind, info.namespace, info.name, change);
  const more = patched === undefined ? [] : adviceOn(kind, patched);
  return renderObject(request, target, 200, value, warningHeaders([...warnings, ...more]));
};

function parsePatch(request: ApiRequest): { readonly apply: Patch; readonly duplicates: readonly string[] } {
  const type = mediaType(request);
  if (type !== JSON_PATCH && type !== MERGE_PATCH) throw unsupportedMediaType(PATCH_TYPES);
  const { value, duplicates } = decodeJson(request.body);
  if (type === MERGE_PATCH) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw badRequest('a merge patch must be a JSON object');
    return { apply: (old) => mergePatch(old, value), duplicates };
  }
  const operations = parseJsonPatch(value);
  return { apply: (old) => applyJsonPatch(old, operations), duplicates };
}

/** Strict unknown fields are Invalid on `patch`, not a bad request (wire contract, section 5.7). */
function judge(kind: Kind, name: string, problems: readonly string[], validation: FieldValidation): readonly string[] {
  if (problems.length === 0 || validation === 'Ignore') return [];
  if (validation === 'Warn') return problems;
  const causes = problems.map((problem) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: strict decoding error: ${problem}`,
    field: 'patch',
  }));
  throw invalid(kind, name, causes);
}

/** A version or uid in the patch is an optimistic lock; the name cannot be patched. */
function checkIdentity({ kind, info }: Target, old: KubeObject, object: KubeObject): void {
  const { uid, resourceVersion, name, namespace } = object.metadata;
  if (name !== info.name || (namespace ?? '') !== (old.metadata.namespace ?? '')) {
    throw badRequest('a patch must not change metadata.name or metadata.namespace');
  }
  checkPreconditions(kind, old, {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined || resourceVersion === '' ? {} : { resourceVersion }),
  });
}

function forbiddenForce(kind: Kind, name: string): Error {
  const message = 'Forbidden: may not be specified for non-apply patch';
  return invalid(kind, name, [{ reason: 'FieldValueForbidden', message, field: 'force' }]);
}
