import type { JsonPath } from '../../../pkg/kube/structural/json-path.js';

/** The value at a path as text: empty, if there is none. */
export function textAt(path: JsonPath, object: unknown): string {
  const [value] = path.find(object) ?? [];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
