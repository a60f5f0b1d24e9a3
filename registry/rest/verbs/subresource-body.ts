import type { ApiRequest } from '../../../pkg/http/handler.js';
import type { Decoded } from '../../../pkg/kube/json/decode.js';
import { apiVersionOf, type ObjectMeta } from '../../../pkg/kube/meta/types.js';
import { PROTOBUF_MEDIA_TYPE } from '../../../pkg/kube/protobuf/types.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { runSteps } from '../../../pkg/system/yielding/steps.js';
import { decodeTyped } from '../../decode/decode.js';
import { decodeMessage } from '../../decode/decode-message.js';
import type { DescribedMessage } from '../../openapi/schemas.js';
import { type Preconditions, preconditionsIn } from '../../write/prepare.js';
import { warned } from '../answer/answer.js';
import {
  auditDecoded,
  checkFields,
  decodeBody,
  decodeProtobuf,
  fieldProblems,
  fieldValidationOf,
  mediaType,
} from '../body/body.js';
import { checkNamespaceInBody } from '../options/write-options.js';
import type { VerbTarget } from '../verb.js';
import { checkPatchedFields, parsePatch, refuseForce } from './patch.js';

/** The body of a request to a subresource. */
export interface SubresourceBody {
  /** The members that the handler gets. */
  readonly members: { readonly body?: unknown; readonly patch?: (old: unknown) => unknown };
  /** The uid and resourceVersion that the object must have. For a patch, they are known after it was applied. */
  preconditions(): Preconditions;
  warnings(): readonly string[];
}

export const NO_BODY: SubresourceBody = { members: {}, preconditions: () => ({}), warnings: () => [] };

/** A decoded body. */
interface DecodedSubresource {
  readonly body: unknown;
  readonly metadata: ObjectMeta;
  readonly unknownFields: readonly string[];
}

/**
 * Decodes the body of create or update. `message` is absent for a body of the object's own kind. Throws 400 and
 * Invalid.
 */
export function readBody(
  request: ApiRequest,
  target: VerbTarget,
  message: DescribedMessage | undefined,
): SubresourceBody {
  return readDecoded(request, target, message, decoded(request, message));
}

/** The same for a body that is JSON already. */
export function readDecoded(
  request: ApiRequest,
  target: VerbTarget,
  message: DescribedMessage | undefined,
  { value, duplicates }: Decoded,
): SubresourceBody {
  const validation = fieldValidationOf(request);
  const part = partOf(target, message, value);
  const preconditions = preconditionsIn(part.metadata);
  const warnings = warned(request, checkFields(message ?? target.kind, fieldProblems(duplicates, part), validation));
  return { members: { body: part.body }, preconditions: () => preconditions, warnings: () => warnings };
}

/** Decodes the body of patch. Throws 400 and 415. */
export function readPatch(
  request: ApiRequest,
  target: VerbTarget,
  message: DescribedMessage | undefined,
): SubresourceBody {
  const validation = fieldValidationOf(request);
  const { apply, problems: own } = parsePatch(request);
  refuseForce(request);
  const kind = message ?? target.kind;
  let [preconditions, warnings]: [Preconditions, readonly string[]] = [{}, []];
  const patch = (old: unknown): unknown => {
    const part = partOf(target, message, runSteps(apply(message === undefined ? old : typed(message, target, old))));
    preconditions = preconditionsIn(part.metadata);
    const problems = [...own, ...fieldProblems([], part)];
    warnings = warned(request, checkPatchedFields(kind, target.info.name, problems, validation));
    return part.body;
  };
  return { members: { patch }, preconditions: () => preconditions, warnings: () => warnings };
}

/** The answer of a handler, completed with kind, apiVersion, name and namespace. */
export function typed(message: DescribedMessage, { info }: VerbTarget, answer: unknown): object {
  const { metadata, ...members } = answer as { readonly metadata?: Partial<ObjectMeta> };
  const identity = { name: info.name, ...(info.namespace !== '' && { namespace: info.namespace }) };
  return { kind: message.kind, apiVersion: apiVersionOf(message), metadata: { ...identity, ...metadata }, ...members };
}

/** Go's typed clients send protobuf for the kinds that Kubernetes defines. */
function decoded(request: ApiRequest, message: DescribedMessage | undefined): Decoded {
  if (message === undefined || mediaType(request) !== PROTOBUF_MEDIA_TYPE) return decodeBody(request);
  return auditDecoded(request, decodeProtobuf(request));
}

function partOf(target: VerbTarget, message: DescribedMessage | undefined, value: unknown): DecodedSubresource {
  const part = message === undefined ? objectPart(target, value) : decodeMessage(message, target.info.name, value);
  const { name } = part.metadata;
  if (name !== '' && name !== target.info.name) {
    throw badRequest(
      `the name of the object (${name.slice(0, 300)}) does not match the name on the URL (${target.info.name})`,
    );
  }
  checkNamespaceInBody(target, part);
  return part;
}

function objectPart({ kind }: VerbTarget, value: unknown): DecodedSubresource {
  const { object, unknownFields } = decodeTyped(kind, value);
  return { body: object, metadata: object.metadata, unknownFields };
}
