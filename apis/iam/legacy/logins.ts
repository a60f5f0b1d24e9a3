import type { LegacyCall } from '../../../registry/legacy/call.js';
import type { UserSpec } from '../user/schema.js';
import { slug } from './formats.js';

const UNKNOWN = 'Anonymous';

/** How people know the one behind an identity (`user:<uid>`, `service-account:<name>`): the login, while there is one. */
export function loginOf(call: LegacyCall, identity: string | undefined): string {
  const [kind, name = ''] = identity?.split(':') ?? [];
  if (kind === 'user' && call.hasKind('User')) return call.objects<UserSpec>('User').find(name)?.spec?.login ?? UNKNOWN;
  if (kind !== 'service-account' || !call.hasKind('ServiceAccount')) return UNKNOWN;
  const accounts = call.objects<{ readonly title: string }>('ServiceAccount');
  const account = accounts.find(name);
  return account?.spec === undefined ? UNKNOWN : serviceAccountLogin(accounts.idOf(account), account.spec.title);
}

export function serviceAccountLogin(id: number, title: string): string {
  return `sa-${id}-${slug(title)}`;
}
