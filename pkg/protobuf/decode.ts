import { unsupportedMediaType } from '../status/errors.js';
import * as auth from './auth-messages.js';
import * as core from './core-messages.js';
import { decodeMessage } from './decode-message.js';
import type { Message } from './message.js';
import { DeleteOptions } from './meta-messages.js';
import { malformed, readFields, textOf } from './wire.js';

export const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';

/** `k8s` and a zero: what every such body begins with. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00];

const MESSAGES: Readonly<Record<string, Message>> = {
  'v1 Event': core.CoreEvent,
  'v1 Namespace': core.Namespace,
  'events.k8s.io/v1 Event': core.Event,
  'coordination.k8s.io/v1 Lease': core.Lease,
  'authorization.k8s.io/v1 SelfSubjectAccessReview': auth.SelfSubjectAccessReview,
  'authorization.k8s.io/v1 SubjectAccessReview': auth.SubjectAccessReview,
  'authorization.k8s.io/v1 SelfSubjectRulesReview': auth.SelfSubjectRulesReview,
  'authentication.k8s.io/v1 SelfSubjectReview': auth.SelfSubjectReview,
  'authentication.k8s.io/v1 TokenReview': auth.TokenReview,
  'authentication.k8s.io/v1 TokenRequest': auth.TokenRequest,
};

/**
 * The JSON form of a request body in Kubernetes' protobuf, which Go's typed clients send without asking. Throws 400 for bytes that are no
 * such message, 415 for a kind that has no message here. Fields that the tables do not know are skipped, as Go skips them.
 */
export function decodeKubernetesProtobuf(bytes: Uint8Array): unknown {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw malformed('it does not begin with "k8s" and a zero byte');
  const { apiVersion, kind, raw } = readUnknown(bytes.subarray(MAGIC.length));
  const message = messageOf(apiVersion, kind);
  if (message === undefined) throw unsupportedMediaType(['application/json', 'application/yaml']);
  return { apiVersion, kind, ...decodeMessage(message, raw) };
}

/** Options are sent under the group and version of what is deleted. */
function messageOf(apiVersion: string, kind: string): Message | undefined {
  if (kind === 'DeleteOptions') return DeleteOptions;
  const name = `${apiVersion} ${kind}`;
  return Object.hasOwn(MESSAGES, name) ? MESSAGES[name] : undefined;
}

interface Unknown {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** runtime.Unknown: { 1: TypeMeta { 1: apiVersion, 2: kind }, 2: raw, 3: contentEncoding, 4: contentType }. */
function readUnknown(bytes: Uint8Array): Unknown {
  const fields = new Map<number, Uint8Array>();
  for (const field of readFields(bytes)) if (field.kind === 'bytes') fields.set(field.number, field.value);
  const text = (of: ReadonlyMap<number, Uint8Array>, number: number): string =>
    textOf(of.get(number) ?? new Uint8Array());
  if (text(fields, 3) !== '') throw malformed('it has a content encoding, which is not supported');
  if (!['', PROTOBUF_MEDIA_TYPE].includes(text(fields, 4))) throw malformed('what it holds is not protobuf');
  const typeMeta = new Map<number, Uint8Array>();
  for (const field of readFields(fields.get(1) ?? new Uint8Array())) {
    if (field.kind === 'bytes') typeMeta.set(field.number, field.value);
  }
  return { apiVersion: text(typeMeta, 1), kind: text(typeMeta, 2), raw: fields.get(2) ?? new Uint8Array() };
}
