import { ownKey } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';

/** The last change of an object since a former version of it. */
export interface LastChange {
  readonly by: string | undefined;
  readonly at: string | undefined;
  /** Whether there were other changes before it, perhaps by others. */
  readonly isOneOfSeveral: boolean;
}

export function lastChange({ metadata }: KubeObject, before: KubeObject | undefined): LastChange {
  const [now = 0, then = now] = [metadata.generation, before?.metadata.generation];
  return {
    by: metadata.annotations?.[ownKey('updatedBy')],
    at: metadata.annotations?.[ownKey('updatedTimestamp')],
    isOneOfSeveral: now - then > 1,
  };
}
