import { isJsonObject } from '../kube/json/decode.js';
import type { ApiRequest } from './handler.js';

/** The media type of the body in lower case, without parameters. Undefined if the client names none. */
export function mediaTypeOf({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const text = headers['content-type'] ?? '';
  return (text.split(';', 1)[0] ?? '').trim().toLowerCase() || undefined;
}

const YAML: ReadonlySet<string | undefined> = new Set(['application/yaml', 'text/yaml', 'application/x-yaml']);

export const isYaml = (mediaType: string | undefined): boolean => YAML.has(mediaType);

/** `application/json`, `text/json`, and types such as `application/merge-patch+json`. */
export const isJson = (mediaType: string): boolean => /^(?:application|text)\/(?:[^/]+\+)?json$/.test(mediaType);

const APPLY_PATCH = 'application/apply-patch+yaml';

/** Whether the body is read as YAML. Clients send JSON under the media type of an apply, too. */
export function isYamlBody(request: Pick<ApiRequest, 'headers' | 'body'>): boolean {
  const type = mediaTypeOf(request);
  return isYaml(type) || (type === APPLY_PATCH && !isJsonObject(request.body));
}
