import { parseJson } from '../../kube/json/parse.js';
import type { ApiRequest, ApiResponse } from '../handler.js';
import { JSON_TYPE, wantsPretty } from '../json.js';
import { sideThread } from '../threads/side-thread.js';
import { mayPreferOtherForm } from './entity-tag.js';
import { preferredForm } from './preferred-form.js';
import { prefersYaml } from './yaml.js';

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

function withBody(response: ApiResponse, body: Uint8Array, type: string): ApiResponse {
  return { ...response, headers: { ...response.headers, 'content-type': type }, body };
}

/** To read so many bytes of JSON, and to write another form of them, takes ten milliseconds. */
export const LARGE_FORM = 2 ** 18;

/** Whether an answer of one object is brought to its form only after the handler, in a thread. */
export function isFormedLate(request: ApiRequest, body: Uint8Array): boolean {
  if (body.byteLength < LARGE_FORM) return false;
  return prefersYaml(request) || (!mayPreferOtherForm(request.headers['accept']) && wantsPretty(request));
}

/**
 * The response in the form that the client prefers. A large one is brought to it in a thread, because that is done at
 * once. It stays in JSON if that fails: it may tell of a write that was done.
 */
export function formed(request: ApiRequest, response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  if (!(response.body instanceof Uint8Array) || response.body.byteLength < LARGE_FORM)
    return inAcceptedForm(request, response);
  const body = jsonIn(response);
  if (body === undefined) return response;
  if (mayPreferOtherForm(request.headers['accept'])) return byThread(request, response, body, 'jsonToForm');
  return wantsPretty(request) && isCompact(body) ? byThread(request, response, body, 'jsonToPretty') : response;
}

/** Whether a document is in one line. */
function isCompact(body: Uint8Array): boolean {
  return body[1] !== 0x0a;
}

async function byThread(
  request: ApiRequest,
  response: ApiResponse,
  bytes: Uint8Array,
  job: 'jsonToForm' | 'jsonToPretty',
): Promise<ApiResponse> {
  const { accept } = request.headers;
  try {
    const { bytes: made, type = JSON_TYPE } = await sideThread.run({ job, bytes, accept }, request.cancellation);
    return withBody(response, made, type);
  } catch (error) {
    if (request.cancellation?.aborted === true) throw error;
    request.fault = error;
    return response;
  }
}
