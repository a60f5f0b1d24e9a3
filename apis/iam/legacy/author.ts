import type { KindName } from '../../../registry/kinds/compiled.js';
import type { LegacyCall } from '../../../registry/legacy/call.js';
import type { UserSpec } from '../user/schema.js';
import { avatarUrl } from './formats.js';
import { loginOf, partsOf } from './people.js';
import { shownEmail } from './visibility.js';

/** The author of an object, as in lists of the legacy API. */
export interface Author {
  /** 0 for an author who is neither a user nor a service account of the organization, or not any more. */
  readonly id: number;
  readonly name: string;
  readonly avatarUrl: string;
}

/** The author by an identity of the annotations: `user:<uid>`, `service-account:<name>`. */
export function authorOf(call: LegacyCall, identity = ''): Author {
  const name = loginOf(call, identity);
  const [prefix, uid] = partsOf(identity);
  const kind = KINDS.get(prefix);
  const objects = kind === undefined ? undefined : call.objects<Partial<UserSpec>>(kind);
  const object = objects?.find(uid);
  if (objects === undefined || object === undefined) return { id: 0, name, avatarUrl: '' };
  const { email } = object.spec ?? {};
  const picture = email === undefined ? name : shownEmail(call, uid, email);
  return { id: objects.idOf(object), name, avatarUrl: avatarUrl(picture) };
}

/** The kinds of stored authors, by the prefixes of their identities. */
const KINDS: ReadonlyMap<string, KindName> = new Map([
  ['user', 'iam/User'],
  ['service-account', 'iam/ServiceAccount'],
]);
