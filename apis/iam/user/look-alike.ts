import { fold } from '../../../pkg/meta/fold.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import type { StatusCause } from '../../../pkg/status/status.js';
import { hasHidden, hasHiddenBesideJoiners, skeleton } from '../../../pkg/text/look-alike.js';
import type { UserSpec } from './schema.js';

type User = KubeObject<UserSpec>;

/**
 * What identifies a user, and the name that people see, must not look like that of another one. Only what a write changes is looked at, so that users from
 * before this rule stay usable. `isTaken`: another user has the text as login or address.
 */
export function lookAlikes(
  user: User,
  old: User | undefined,
  isTaken: (text: string) => boolean,
): readonly StatusCause[] {
  const now = user.spec;
  if (now === undefined) return [];
  const isNew = (field: 'login' | 'email' | 'name'): boolean => now[field] !== old?.spec?.[field];
  const identifiers = (['login', 'email'] as const).filter(isNew);
  const hidden = identifiers.filter((field) => hasHidden(now[field]));
  const similar = identifiers.filter((field) => {
    const plain = skeleton(now[field]);
    return !hidden.includes(field) && plain !== fold(now[field]) && isTaken(plain);
  });
  const isNameHidden = isNew('name') && hasHiddenBesideJoiners(now.name);
  return [
    ...hidden.map((field) => invalid(field, HIDDEN)),
    ...similar.map((field) =>
      invalid(field, `looks like the login or the e-mail address of another user. Choose another ${field}`),
    ),
    ...(isNameHidden ? [invalid('name', HIDDEN)] : []),
  ];
}

const HIDDEN = 'must not hold characters that are not shown, such as U+200B or U+202E';

function invalid(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', message, field: `spec.${field}` };
}
