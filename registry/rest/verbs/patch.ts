import type { ApiRequest } from '../../../pkg/http/handler.js';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import { decodeJson } from '../../../pkg/kube/json/decode.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { jsonPatchSteps, parseJsonPatch, unknownMembers } from '../../../pkg/kube/patch/json-patch.js';
import { mergeSteps } from '../../../pkg/kube/patch/merge.js';
import { badRequest, invalid, unsupportedMediaType } from '../../../pkg/kube/status/errors.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { yieldIfLarge } from '../../../pkg/system/yielding/yielding.js';
import { Client } from '../../client/client.js';
import { decodeSteps } from '../../decode/decode.js';
import type { Kind } from '../../kinds/kind.js';
import type { WriteOnly } from '../../kinds/write-only.js';
import { acceptsApply } from '../../openapi/schemas.js';
import { checkPreconditions, versionIn } from '../../write/prepare.js';
import { answering, warned } from '../answer/answer.js';
import { renderSteps } from '../answer/render.js';
import { adviceOn } from '../answer/warnings.js';
import {
  auditDecoded,
  type FieldValidation,
  fieldProblems,
  fieldValidationOf,
  mediaType,
  ownerWarnings,
} from '../body/body.js';
import { strategicPatch } from '../body/strategic-patch.js';
import { ifMatch } from '../options/if-match.js';
import { withWaiting, writeOptions } from '../options/write-options.js';
import { partOf, type Verb, type VerbTarget, writeThrough } from '../verb.js';
import { APPLY_PATCH, apply } from './apply.js';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
/** The patch types that subresources accept. A 415 lists them. */
const PART_PATCH_TYPES = [JSON_PATCH, MERGE_PATCH] as const;
/** The patch types that objects and their status accept. */
const PATCH_TYPES = [...PART_PATCH_TYPES, APPLY_PATCH] as const;

/** Returns the patched object in steps, given the stored object. It is pure, because a transaction may run again. */
type Patch = (old: unknown) => Generator<undefined, unknown, undefined>;

interface PatchAcceptance {
  readonly acceptsStrategicMerge?: boolean;
  /** The patch types that a 415 lists. */
  readonly accepted?: readonly string[];
  /** Called with what a merge patch has made of an object. */
  readonly merged?: WriteOnly['merged'] | undefined;
}

interface ParsedPatch {
  readonly apply: Patch;
  /** What is wrong with the patch itself, in Kubernetes' words. */
  readonly problems: readonly string[];
}

/** Server-side apply is a patch of its own type. */
export function isApply(request: ApiRequest): boolean {
  return request.method === 'PATCH' && mediaType(request) === APPLY_PATCH;
}

/** PATCH of one object or of its status. The patch is applied in the commit, so concurrent patches need no retries. */
export const patch: Verb = async (request, target) => {
  const { kind, registry, info } = target;
  const accepted = acceptsApply(kind) ? PATCH_TYPES : PART_PATCH_TYPES;
  if (isApply(request) && acceptsApply(kind)) return apply(request, target);
  const part = partOf(info);
  const { apply: applyPatch, problems: own } = parsePatch(request, {
    acceptsStrategicMerge: kind.acceptsStrategicMerge === true,
    accepted,
    merged: part === 'spec' ? kind.writeOnly?.merged : undefined,
  });
  const validation = fieldValidationOf(request);
  const options = withWaiting(writeOptions(request, target), target);
  refuseForce(request);
  const version = ifMatch(request);
  await yieldIfLarge(request.body);
  let warnings: readonly string[] = [];
  let patched: KubeObject | undefined;
  function* change(old: KubeObject): Generator<undefined, KubeObject, undefined> {
    if (version !== undefined) checkPreconditions(kind, old, { resourceVersion: version });
    const check = (unknownFields: readonly string[]): readonly string[] => {
      const problems = [...own, ...fieldProblems([], { unknownFields })];
      return warned(request, checkPatchedFields(kind, info.name, problems, validation));
    };
    const whole = yield* applyPatch(old);
    yield;
    const decoded = yield* decodeSteps(kind, whole, part, { onUnknown: check });
    yield;
    warnings = warned(request, [...check(decoded.unknownFields), ...ownerWarnings(decoded)]);
    patched = identified(target, old, decoded.object);
    return patched;
  }
  const client = new Client(registry, options);
  return client.update(
    kind,
    info.namespace,
    info.name,
    change,
    writeThrough(info, 'patch'),
    answering(request, (written) => {
      const more = patched === undefined ? [] : adviceOn(kind, patched, part);
      const advice = [...warnings, ...(written.warnings ?? []), ...more];
      return renderSteps(request, target, 200, written.value, warningHeaders(advice));
    }),
  );
};

/** Throws 400 for a patch that cannot be parsed, and 415 for another media type. */
export function parsePatch(
  request: ApiRequest,
  { acceptsStrategicMerge = false, accepted = PART_PATCH_TYPES, merged }: PatchAcceptance = {},
): ParsedPatch {
  const type = mediaType(request);
  const isMerge = type === MERGE_PATCH || (acceptsStrategicMerge && type === STRATEGIC_PATCH);
  if (type !== JSON_PATCH && !isMerge) throw unsupportedMediaType(accepted);
  const { value, duplicates } = auditDecoded(request, decodeJson(request.body, request.limits));
  if (isMerge) {
    if (!isObject(value)) throw badRequest('a merge patch must be a JSON object');
    const problems = fieldProblems(duplicates, { unknownFields: [] });
    const merge = type === STRATEGIC_PATCH ? strategicPatch(value) : (old: unknown) => mergeSteps(old, value);
    if (merged === undefined) return { apply: merge, problems };
    const apply: Patch = function* corrected(old) {
      return merged(yield* merge(old), value, old as KubeObject);
    };
    return { apply, problems };
  }
  const operations = parseJsonPatch(value);
  const problems = fieldProblems(duplicates, { unknownFields: unknownMembers(value) });
  return { apply: (old) => jsonPatchSteps(old, operations), problems: problems.map((text) => `json patch ${text}`) };
}

/** With Strict, unknown fields of a patch are Invalid, not a 400 (docs/wire-contract.md, section 5.7). */
export function checkPatchedFields(
  kind: Pick<Kind, 'group' | 'kind'>,
  name: string,
  problems: readonly string[],
  validation: FieldValidation,
): readonly string[] {
  if (problems.length === 0 || validation === 'Ignore') return [];
  if (validation === 'Warn') return problems;
  const causes = problems.map((problem) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: strict decoding error: ${problem}`,
    field: 'patch',
  }));
  throw invalid(kind, name, causes);
}

/**
 * A uid or resourceVersion in the patched object is an optimistic lock. The name cannot be patched. As in Kubernetes, a
 * patch that removes the namespace leaves it as it is.
 */
function identified({ kind, info }: VerbTarget, old: KubeObject, object: KubeObject): KubeObject {
  const { namespace: current } = old.metadata;
  const { uid, name, namespace = current } = object.metadata;
  if (name !== info.name || (namespace ?? '') !== (current ?? '')) {
    throw badRequest('a patch must not change metadata.name or metadata.namespace');
  }
  checkPreconditions(kind, old, { uid, resourceVersion: versionIn(object.metadata) });
  if (current === undefined || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: current } };
}

export function refuseForce({ query }: ApiRequest): void {
  if (!query.has('force')) return;
  const message = 'Forbidden: may not be specified for non-apply patch';
  throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
    { reason: 'FieldValueForbidden', message, field: 'force' },
  ]);
}
