import type protobuf from 'protobufjs/light.js';
import type { DecodeLimits } from '../json/decode.js';
import { DEFAULT_LIMITS } from '../json/limits.js';
import { unsupportedMediaType } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { refuseManyValues } from './count.js';
import { malformed, ValueReader } from './reader.js';
import { jsonOf } from './to-json.js';
import { MAGIC, PROTOBUF_MEDIA_TYPE, typeNamed, typeOfKind } from './types.js';

/** runtime.Unknown, which is around every object. */
interface Unknown {
  readonly typeMeta?: { readonly apiVersion: string; readonly kind: string };
  readonly raw?: Uint8Array;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** Protobuf is decoded in one step, so fewer values than in JSON. The largest definitions have two thirds of them. */
const MOST_VALUES = 100_000;
const NOTHING = new Uint8Array();

/**
 * Decodes a request body in Kubernetes' protobuf to its JSON form. Go's typed clients send protobuf for the kinds that
 * Kubernetes defines, and do not fall back to JSON. Throws 400 for malformed bytes, 413 for too many values, and 415
 * for a kind without a message. Unknown fields are skipped, as in Go.
 */
export function decodeKubernetesProtobuf(bytes: Uint8Array, most: DecodeLimits = DEFAULT_LIMITS): unknown {
  const limits = { ...most, values: Math.min(most.values, MOST_VALUES) };
  if (!MAGIC.equals(bytes.subarray(0, MAGIC.length))) throw malformed('it does not begin with "k8s" and a zero byte');
  const unknown = read<Unknown>(typeNamed('Unknown'), bytes.subarray(MAGIC.length), limits);
  if (unknown.contentEncoding !== '') throw malformed('it has a content encoding, which is not supported');
  if (!['', PROTOBUF_MEDIA_TYPE].includes(unknown.contentType)) throw malformed('what it holds is not protobuf');
  const { apiVersion = '', kind = '' } = unknown.typeMeta ?? {};
  // Clients send DeleteOptions with the group and version of the object to delete.
  const type = typeOfKind(kind === 'DeleteOptions' ? 'v1' : apiVersion, kind);
  if (type === undefined) throw unsupportedMediaType(['application/json', 'application/yaml']);
  return { apiVersion, kind, ...jsonOf(type, read(type, unknown.raw ?? NOTHING, limits), limits) };
}

function read<T>(type: protobuf.Type, bytes: Uint8Array, { values }: DecodeLimits): T & protobuf.Message {
  try {
    refuseManyValues(type, bytes, values);
    return type.decode(new ValueReader(bytes)) as T & protobuf.Message;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof RangeError) throw malformed('a field is longer than what holds it', error);
    throw malformed(error instanceof Error ? error.message : 'it cannot be read', error);
  }
}
