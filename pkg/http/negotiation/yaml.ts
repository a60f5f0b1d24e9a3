import type { ApiRequest } from '../handler.js';
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
