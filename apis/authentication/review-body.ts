import type { z } from 'zod';
import type { ApiRequest } from '../../pkg/http/exchange.js';
import { decodeKubernetesProtobuf, PROTOBUF_MEDIA_TYPE } from '../../pkg/protobuf/decode.js';
import { badRequest } from '../../pkg/status/errors.js';
import { decodeBody, mediaType } from '../../registry/rest/body.js';

/**
 * Reads the body of a request that is no stored object, in JSON, YAML, or the protobuf that Go's typed clients send. Throws 400 with the field
 * that is wrong.
 */
export function reviewBody<T>(request: ApiRequest, kind: string, schema: z.ZodType<T>): T {
  const isProtobuf = mediaType(request) === PROTOBUF_MEDIA_TYPE;
  const value = isProtobuf ? decodeKubernetesProtobuf(request.body) : decodeBody(request).value;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw badRequest(`the body is no ${kind}: ${problems.join('; ')}`);
}
