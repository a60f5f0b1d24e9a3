import { z } from 'zod';
import { ObjectMetaInput } from '../../pkg/kube/meta/input.js';
import { apiVersionOf, type ObjectMeta } from '../../pkg/kube/meta/types.js';
import { invalid } from '../../pkg/kube/status/errors.js';
import { isObject } from '../../pkg/system/object/is-object.js';
import type { DescribedMessage } from '../openapi/schemas.js';
import { causesOf, completeTypeMeta, mistypedBody, parseFields } from './decode.js';

interface DecodedMessage {
  readonly metadata: ObjectMeta;
  /** The members of the body beside type and metadata. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Paths of the fields that the schema does not have. They were dropped. */
  readonly unknownFields: readonly string[];
}

const NO_MEMBERS = z.object({});
const schemas = new WeakMap<DescribedMessage, z.ZodType>();

/** A client may send back an answer. The schema therefore has the members of the answer. They are ignored. */
function schemaOf(kind: DescribedMessage): z.ZodType {
  let schema = schemas.get(kind);
  if (schema === undefined) {
    const { body = NO_MEMBERS, answer } = kind;
    const ignored = Object.keys(answer.shape).filter((member) => !Object.hasOwn(body.shape, member));
    const members = Object.fromEntries(ignored.map((member) => [member, z.unknown().optional()]));
    schema = body
      .safeExtend({ ...members, apiVersion: z.string(), kind: z.string(), metadata: ObjectMetaInput })
      .strict();
    schemas.set(kind, schema);
  }
  return schema;
}

/**
 * Reads the body of a request to a subresource of the object `name`. The body may leave out apiVersion and kind. As in
 * Kubernetes, a field of the wrong JSON type is a 400, and all other wrong fields are Invalid.
 */
export function decodeMessage(kind: DescribedMessage, name: string, value: unknown): DecodedMessage {
  const type = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const whole = completeTypeMeta(type, isObject(value) ? { ...type, ...value } : value, false);
  const { data, issues, unknownFields } = parseFields(schemaOf(kind), whole);
  if (issues.length > 0) throw refusal(kind, name, issues);
  const { metadata } = data as { readonly metadata: ObjectMeta };
  const shape = kind.body?.shape ?? {};
  const members = Object.entries(data as object).filter(([member]) => Object.hasOwn(shape, member));
  return { metadata, body: Object.fromEntries(members), unknownFields };
}

function refusal(kind: DescribedMessage, name: string, issues: readonly z.core.$ZodIssue[]): Error {
  const mistyped = issues.find(({ code, input }) => code === 'invalid_type' && input !== undefined);
  if (mistyped === undefined) return invalid(kind, name, causesOf(issues));
  return mistypedBody(kind, mistyped);
}
