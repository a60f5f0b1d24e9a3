import type { ApiRequest, ApiResponse } from '../http/handler.js';
import { parseJson } from '../json/parse.js';
import { toYaml } from '../json/to-yaml.js';
import { isObject, type Members } from '../object/is-object.js';
import { encodeKubernetesProtobuf } from '../protobuf/encode-object.js';
import { PROTOBUF_MEDIA_TYPE } from '../protobuf/types.js';
import { isProtobufRange, matches, parseAccept } from './accept.js';
import { mayPreferOtherForm } from './entity-tag.js';
import { isYamlRange, YAML_TYPE } from './yaml.js';

/**
 * The response in the form that the client prefers: JSON, YAML, or protobuf for a kind that has it, such as a Status. Handlers answer in JSON. A stream is
 * left as it is.
 */
export function inAcceptedForm(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { accept } = request.headers;
  if (!mayPreferOtherForm(accept)) return response;
  const { headers, body } = response;
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
  if (!isJson || !(body instanceof Uint8Array)) return response;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const form = preferred(accept, parseJson(text));
  if (form === undefined) return response;
  return { ...response, headers: { ...headers, 'content-type': form.type }, body: form.bytes };
}

interface Form {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Undefined is JSON. */
function preferred(accept: string, value: unknown): Form | undefined {
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
