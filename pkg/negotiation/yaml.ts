import type { ApiRequest, ApiResponse } from '../http/handler.js';
import { parseJson } from '../json/parse.js';
import { toYaml } from '../json/to-yaml.js';
import { type MediaRange, matches, parseAccept } from './accept.js';

export const YAML_TYPE = 'application/yaml';

/** Whether the clause accepts YAML. A wildcard does not: clients that take anything get JSON. */
export function isYamlRange({ type, subtype }: MediaRange): boolean {
  return type === 'application' && subtype === 'yaml';
}

/** Whether the client prefers YAML to JSON. */
export function prefersYaml({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  const { accept } = headers;
  if (accept?.includes('yaml') !== true) return false;
  const first = parseAccept(accept).find((range) => isYamlRange(range) || matches(range, 'application', 'json'));
  return first !== undefined && isYamlRange(first);
}

/** The response in YAML if the client prefers it. A stream is left as it is. */
export function inYaml(request: ApiRequest, response: ApiResponse): ApiResponse {
  if (!prefersYaml(request)) return response;
  const { headers, body } = response;
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
  if (!isJson || !(body instanceof Uint8Array)) return response;
  const value = parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
  return { ...response, headers: { ...headers, 'content-type': YAML_TYPE }, body: Buffer.from(toYaml(value)) };
}
