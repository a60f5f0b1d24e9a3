import type { Members } from '../../system/object/is-object.js';
import { isObject } from '../../system/object/is-object.js';
import type { Steps } from '../../system/yielding/steps.js';
import { fieldElement } from './element.js';
import { below, differenceSteps, isEmpty } from './fields.js';
import { fieldsSteps } from './fields-of.js';
import { keyOf, managersOf } from './managers.js';
import { remove, withNamedMembers } from './remove.js';
import type { Tracked } from './tracking.js';
import type { Writing } from './update.js';

/** The fields that a manager owns in some members of an object, in steps. Members without such fields are absent. */
export function* ownedMembers(
  { object, entries }: Tracked,
  names: readonly string[],
  { by, type }: Writing,
): Steps<Members> {
  const owned = managersOf(entries).get(keyOf(by))?.fields;
  if (owned === undefined || !isObject(object)) return {};
  const own = names.filter((name) => object[name] !== undefined && !isEmpty(below(owned, fieldElement(name))));
  const part = Object.fromEntries(own.map((name) => [name, object[name]]));
  const fields = yield* withNamedMembers(yield* fieldsSteps(part, type), type);
  const others = yield* differenceSteps(fields, yield* withNamedMembers(owned, type));
  return ((yield* remove(part, others, type)) ?? {}) as Members;
}
