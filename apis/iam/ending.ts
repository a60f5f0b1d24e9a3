import type { WriteContext } from '../../registry/strategy.js';
import { resourceName } from './names.js';

/** Whether the organization of a write is being deleted, with all that is in it: then nothing in it has to be kept. */
export function isEnding({ reader, namespace }: WriteContext, domain: string): boolean {
  return reader.get(resourceName('organizations', domain), '', namespace)?.metadata.deletionTimestamp !== undefined;
}
