import type { z } from 'zod';
import type { ApiRequest } from '../../pkg/http/exchange.js';
import { decodeKubernetesProtobuf, PROTOBUF_MEDIA_TYPE } from '../../pkg/protobuf/decode.js';
import { badRequest } from '../../pkg/status/errors.js';
import { decodeBody, mediaType } from '../../registry/rest/body.js';

/**
 * Decodes a request body that is not a stored object from JSON, YAML, or the protobuf that Go's typed clients send. Throws 400 that names the
 * invalid field.
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
