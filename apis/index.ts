import type { Kind, KindEnvironment } from '../registry/kind.js';
import { folder } from './folder/kind.js';

/** The one list of kinds: a kind that stands here has storage, watch, discovery, OpenAPI, tables and a conformance run. */
export function kinds(environment: KindEnvironment): readonly Kind[] {
  return [folder(environment) as Kind];
}
