import type { Kind } from '../registry/kinds/kind.js';
import type { LegacyRouter } from '../registry/legacy/router.js';
import type { KindAccess } from './access.js';
import type { ApisEnvironment, Switch } from './environment.js';
import type { IamServices } from './iam/legacy/services.js';

/** What the server takes from the folder of a kind. */
export interface KindFolder {
  /** The kind, and its other versions. `compiled` returns all kinds that are compiled into the server. */
  readonly kinds: readonly ((environment: ApisEnvironment, compiled: () => readonly Kind[]) => Kind)[];
  readonly access?: KindAccess;
  /** The routes of the legacy API. The paths in its table are below `/api`. */
  readonly legacy?: (services: IamServices) => LegacyRouter;
  /** The routes are there only while this feature is on. */
  readonly feature?: Switch;
  /** Members of bodies that hold secrets, at any depth. The audit log masks them. */
  readonly secretFields?: readonly string[];
  /** The place in discovery and in the documents: the lowest number is first. Absent: after all others. */
  readonly order?: number;
}
