import type { Identity } from '../../../editor/schema/check.js';
import type { KubeObject } from '../../../lib/object.js';
import type { Target } from './saving.js';

export interface EditingOptions {
  readonly target: Omit<Target, 'lock'>;
  /** Undefined for a new object. */
  readonly stored?: KubeObject | undefined;
  /** The text that a new object begins with. */
  readonly text?: string;
  /** The key of the draft. */
  readonly place: string;
  readonly identity: Identity;
  readonly onSaved: (object: KubeObject) => void;
  /** Asks for the object as it is stored now. */
  readonly fetch?: () => Promise<KubeObject>;
}
