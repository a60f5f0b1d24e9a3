import type { Members } from './is-object.js';

/** The member that the object itself has, and not what every object inherits. Undefined without an object. */
export function own(members: Members | undefined, name: string): unknown {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}
