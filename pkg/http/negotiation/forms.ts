import { parseJson } from '../../kube/json/parse.js';
import type { ApiRequest, ApiResponse } from '../handler.js';
import { mayPreferOtherForm } from './entity-tag.js';
import { preferredForm } from './preferred-form.js';

/**
 * The response in the form that the client prefers: JSON, YAML, or protobuf for a kind that has it, such as a Status.
 * Handlers answer in JSON. A stream is left as it is.
 */
export function inAcceptedForm(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { accept } = request.headers;
  const body = mayPreferOtherForm(accept) ? jsonIn(response) : undefined;
  if (body === undefined) return response;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const form = preferredForm(accept ?? '', parseJson(text));
  return form === undefined ? response : withBody(response, form.bytes, form.type);
}

/** The body of a response that is whole and in JSON. */
export function jsonIn({ headers, body }: ApiResponse): Uint8Array | undefined {
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
  return isJson && body instanceof Uint8Array ? body : undefined;
}

export function withBody(response: ApiResponse, body: Uint8Array, type: string): ApiResponse {
  return { ...response, headers: { ...response.headers, 'content-type': type }, body };
}
