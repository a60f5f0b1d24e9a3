import { parseJson as readJson } from '../../pkg/kube/json/parse.js';

/** The value of a JSON text; undefined for another text, such as the HTML of a proxy. */
export function parseJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
