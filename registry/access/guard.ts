import { assertValid, type UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { AccessView, Entry, Guarded } from '../access.js';
import type { Kind } from '../kind.js';
import type { Registry } from '../registry.js';
import { guardedEntry, guardedObject } from './guarded.js';

/**
 * Asks for each step of a write whether its caller may do it, on the state that it is evaluated on. Every call throws 403 if not, and 401
 * once the caller's credential does not count any more.
 */
export interface Guard {
  create(view: AccessView, object: KubeObject): void;
  /** Before anything of the stored object is told; `undefined`: there is none. */
  touch(view: AccessView, verb: 'update' | 'delete', name: string, stored: Entry | undefined): void;
  /** What an object becomes, and where. */
  change(view: AccessView, object: KubeObject, stored: Entry): void;
}

const OPEN: Guard = { create: () => undefined, touch: () => undefined, change: () => undefined };

/** Who writes, and where. */
interface Writer {
  readonly user: UserInfo;
  readonly namespace: string;
  readonly isTrusted?: boolean | undefined;
}

/** Internal kinds are behind no door: whoever writes them has decided. So has who vouches for a write (`isTrusted`). */
export function guardOf({ access }: Registry, kind: Kind, { user, namespace, isTrusted }: Writer): Guard {
  if (isTrusted === true || (!kind.served && kind.permissions === undefined)) return OPEN;
  const ask = (view: AccessView, verb: string, name: string, object?: Guarded, old?: Guarded): void => {
    const subjects = { ...(object && { object }), ...(old && { old }) };
    assertValid(user);
    access.check({ user, verb, kind, namespace, name, ...subjects }, view);
  };
  return {
    create: (view, object) => {
      const placed = { ...object, metadata: { ...object.metadata, ...(namespace === '' ? {} : { namespace }) } };
      ask(view, 'create', object.metadata.name, guardedObject(kind, placed));
    },
    touch: (view, verb, name, stored) => ask(view, verb, name, stored && guardedEntry(stored)),
    change: (view, object, stored) => {
      ask(view, 'update', object.metadata.name, guardedObject(kind, object), guardedEntry(stored));
    },
  };
}
