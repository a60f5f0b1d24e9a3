import type { KubeObject } from '../../lib/object.js';
import type { Place } from './use-object.js';

export interface ActionsProps {
  readonly place: Place;
  /** As it is, or as it was before it was deleted. */
  readonly object: KubeObject | undefined;
  readonly isThere: boolean;
}

export interface TabProps {
  readonly place: Place;
  readonly object: KubeObject;
}
