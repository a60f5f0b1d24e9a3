import { toYaml } from '../../kube/json/to-yaml.js';
import { encodeKubernetesProtobuf } from '../../kube/protobuf/encode-object.js';
import { PROTOBUF_MEDIA_TYPE } from '../../kube/protobuf/types.js';
import { isObject, type Members } from '../../system/object/is-object.js';
import { isProtobufRange, matches, parseAccept } from './accept.js';
import { isYamlRange, YAML_TYPE } from './yaml.js';

export interface Form {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * A value in the form that the header `Accept` prefers: YAML, or protobuf for a kind that has it, such as a Status.
 * Undefined is JSON.
 */
export function preferredForm(accept: string, value: unknown): Form | undefined {
  for (const range of parseAccept(accept)) {
    if (isYamlRange(range)) return { type: YAML_TYPE, bytes: Buffer.from(toYaml(value)) };
    if (matches(range, 'application', 'json')) return undefined;
    const bytes = isProtobufRange(range) ? protobufOf(value) : undefined;
    if (bytes !== undefined) return { type: PROTOBUF_MEDIA_TYPE, bytes };
  }
  return undefined;
}

function protobufOf(value: unknown): Uint8Array | undefined {
  return isTyped(value) ? encodeKubernetesProtobuf(value) : undefined;
}

function isTyped(value: unknown): value is Members & { readonly apiVersion: string; readonly kind: string } {
  return isObject(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string';
}
