import type { Authored } from '../../../lib/authors.js';
import { ownKey, resourceOf } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';

/** The last change of an object since a former version of it. */
export interface LastChange {
  readonly by: string | undefined;
  readonly at: string | undefined;
  /** The object, which names the author. */
  readonly in: Authored | undefined;
  /** Whether there were other changes before it, perhaps by others. */
  readonly isOneOfSeveral: boolean;
}

export function lastChange(
  { apiVersion = '', kind = '', metadata }: KubeObject,
  before: KubeObject | undefined,
): LastChange {
  const [now = 0, then = now] = [metadata.generation, before?.metadata.generation];
  const resource = resourceOf(apiVersion, kind);
  return {
    in: resource && { ...metadata, resource },
    by: metadata.annotations?.[ownKey('updatedBy')],
    at: metadata.annotations?.[ownKey('updatedTimestamp')],
    isOneOfSeveral: now - then > 1,
  };
}
