import { z } from 'zod';
import type { ApiRequest } from '../../pkg/http/handler.js';
import { parseSent } from '../../pkg/kube/json/corrected.js';
import { issuesWithMessages } from '../../pkg/kube/json/parse-schema.js';
import { badRequest, invalid } from '../../pkg/kube/status/errors.js';
import { unknownIn } from '../../registry/legacy/members.js';
import { warned } from '../../registry/rest/answer/answer.js';
import { checkFields, decodeBody, fieldProblems, fieldValidationOf } from '../../registry/rest/body/body.js';
import { parameterWarnings } from '../../registry/rest/options/unknown-parameters.js';

/** The kind of a review. A review is answered but never stored. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
}

export interface Review<Spec> {
  readonly metadata: unknown;
  readonly spec: Spec;
}

/**
 * Decodes a review from JSON, YAML or protobuf. The path tells its type, so a body without apiVersion and kind is
 * accepted, as in Kubernetes. The caller is warned of unknown fields, because the answer is about a wider question
 * without them. Throws 400 for a body that is not a review, and for unknown fields with Strict, 422 for a review with
 * invalid fields.
 */
export function decodeReview<Spec>(request: ApiRequest, kind: ReviewKind, schema: z.ZodType<Spec>): Review<Spec> {
  const { value, duplicates } = decodeBody(request);
  const apiVersion = `${kind.group}/${kind.version}`;
  const typeMeta = { apiVersion: z.enum(['', apiVersion]).nullish(), kind: z.enum(['', kind.kind]).nullish() };
  const free = z.unknown().optional();
  const Outer = z.object({ ...typeMeta, metadata: free, spec: free, status: free });
  const outer = Outer.safeParse(value);
  if (!outer.success) throw badRequest(`the body must be a ${kind.kind} of ${apiVersion}`);
  const unknownFields = unknownIn(Outer.extend({ spec: schema.nullish() }), value);
  warn(request, kind, fieldProblems(duplicates, { unknownFields }));
  const { data: spec, issues } = parseSent(schema, outer.data.spec ?? {});
  if (issues.length === 0) return { metadata: outer.data.metadata ?? {}, spec: spec as Spec };
  const causes = issuesWithMessages(issues).map(({ path, message }) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${message}`,
    field: ['spec', ...path].map(String).join('.'),
  }));
  throw invalid(kind, '', causes);
}

/**
 * Warns of query parameters and fields that are not understood, also if the review is refused. The answer takes the
 * warnings from there.
 */
function warn(request: ApiRequest, kind: Omit<ReviewKind, 'resource'>, problems: readonly string[]): void {
  const parameters = parameterWarnings(request.query, {}, 'create');
  const fields = checkFields(kind, problems, fieldValidationOf(request));
  warned(request, [...parameters, ...fields]);
}

export function requireOneQuestion(kind: ReviewKind, questions: readonly unknown[]): void {
  if (questions.filter((question) => question !== undefined && question !== null).length === 1) return;
  const message = 'Invalid value: exactly one of nonResourceAttributes or resourceAttributes must be specified';
  throw invalid(kind, '', [{ reason: 'FieldValueInvalid', message, field: 'spec.resourceAttributes' }]);
}

/**
 * Decodes a request body that is not a stored object from JSON, YAML, or the protobuf that Go's typed clients send. The
 * caller is warned as by `decodeReview`. Throws 400 that names the invalid field.
 */
export function reviewBody<T>(request: ApiRequest, described: Omit<ReviewKind, 'resource'>, schema: z.ZodType<T>): T {
  const { kind } = described;
  const { value, duplicates } = decodeBody(request);
  warn(request, described, fieldProblems(duplicates, { unknownFields: unknownIn(schema, value, ['status']) }));
  const { data, issues } = parseSent(schema, value);
  if (issues.length === 0) return data as T;
  const problems = issuesWithMessages(issues)
    .slice(0, 10)
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw badRequest(`the body is no ${kind}: ${problems.join('; ')}`);
}
