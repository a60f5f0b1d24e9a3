import { fold } from '../../../pkg/kube/meta/fold.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { HIDDEN_CHARACTERS, hasHidden, hasHiddenBesideJoiners, skeleton } from '../../../pkg/system/text/look-alike.js';
import type { UserSpec } from './schema.js';

type User = KubeObject<UserSpec>;

/**
 * What identifies a user, and the name that people see, must not look like that of another one. Only what a write
 * changes is looked at, so that users from before this rule stay usable. `isSimilar`: another user has a login or an
 * address with this skeleton, which is not the same text.
 */
export function lookAlikes(
  user: User,
  old: User | undefined,
  isSimilar: (text: string, skeleton: string) => boolean,
): readonly StatusCause[] {
  const now = user.spec;
  if (now === undefined) return [];
  const isNew = (field: 'login' | 'email' | 'name'): boolean => now[field] !== old?.spec?.[field];
  const identifiers = (['login', 'email'] as const).filter(isNew);
  const hidden = identifiers.filter((field) => hasHidden(now[field]));
  const similar = identifiers.filter(
    (field) => !hidden.includes(field) && isSimilar(fold(now[field]), skeleton(now[field])),
  );
  const isNameHidden = isNew('name') && hasHiddenBesideJoiners(now.name);
  return [
    ...hidden.map((field) => invalid(field, HIDDEN_CHARACTERS)),
    ...similar.map((field) => invalid(field, `${LOOK_ALIKE}. Choose another ${field}`)),
    ...(isNameHidden ? [invalid('name', HIDDEN_CHARACTERS)] : []),
  ];
}

const LOOK_ALIKE = 'looks like the login or the e-mail address of another user';

/** Whether a refusal tells that another user has something similar. */
export const isLookAlike = ({ message }: StatusCause): boolean => message.startsWith(LOOK_ALIKE);

/** The skeletons of what identifies a user, each once. */
export function skeletonsOf({ login, email }: Pick<UserSpec, 'login' | 'email'>): readonly string[] {
  return [...new Set([login, email].map(skeleton))];
}

function invalid(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', message, field: `spec.${field}` };
}
