import { unsupportedMediaType } from '../status/errors.js';
import { decodeMessage } from './decode-message.js';
import type { Message } from './message.js';
import * as messages from './messages.js';
import { malformed, readFields, textOf } from './wire.js';

export const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';

/** Every such body begins with `k8s` and a zero byte. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00];

const MESSAGES: Readonly<Record<string, Message>> = {
  'authorization.k8s.io/v1 SelfSubjectAccessReview': messages.SelfSubjectAccessReview,
  'authorization.k8s.io/v1 SubjectAccessReview': messages.SubjectAccessReview,
  'authorization.k8s.io/v1 LocalSubjectAccessReview': messages.SubjectAccessReview,
  'authorization.k8s.io/v1 SelfSubjectRulesReview': messages.SelfSubjectRulesReview,
  'authentication.k8s.io/v1 SelfSubjectReview': messages.SelfSubjectReview,
  'authentication.k8s.io/v1 TokenReview': messages.TokenReview,
  'authentication.k8s.io/v1 TokenRequest': messages.TokenRequest,
  'coordination.k8s.io/v1 Lease': messages.Lease,
  'v1 Event': messages.Event,
  'v1 Namespace': messages.Namespace,
  'v1 Secret': messages.Secret,
  'v1 ConfigMap': messages.ConfigMap,
  'events.k8s.io/v1 Event': messages.EventV1,
};

/**
 * Decodes a request body in Kubernetes' protobuf to its JSON form. Go's typed clients send protobuf for the kinds that Kubernetes
 * defines, and do not fall back to JSON. Throws 400 for malformed bytes and 415 for a kind without a message here. Unknown fields are
 * skipped, as in Go. By hand because protobuf libraries bring a code generator, and these are few messages with Kubernetes' own framing.
 */
export function decodeKubernetesProtobuf(bytes: Uint8Array): unknown {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw malformed('it does not begin with "k8s" and a zero byte');
  const { apiVersion, kind, raw } = readUnknown(bytes.subarray(MAGIC.length));
  const message = messageOf(apiVersion, kind);
  if (message === undefined) throw unsupportedMediaType(['application/json', 'application/yaml']);
  return { apiVersion, kind, ...decodeMessage(message, raw) };
}

/** Clients send DeleteOptions with the group and version of the object to delete. */
function messageOf(apiVersion: string, kind: string): Message | undefined {
  if (kind === 'DeleteOptions') return messages.DeleteOptions;
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
