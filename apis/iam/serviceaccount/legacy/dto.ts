import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { accessControlOf } from '../../../../registry/legacy/access-control.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { TokenSpec } from '../../../internal/token/schema.js';
import { avatarUrl, time } from '../../legacy/formats.js';
import { serviceAccountLogin } from '../../legacy/people.js';
import type { ServiceAccountSpec } from '../schema.js';

/** What answers have of a service account or its tokens, and callers send back. */
export const ACCOUNT_ANSWERED: readonly string[] = [
  'id',
  'uid',
  'name',
  'login',
  'orgId',
  'isDisabled',
  'isExternal',
  'role',
  'tokens',
  'avatarUrl',
  'createdAt',
  'updatedAt',
  'accessControl',
  'created',
  'lastUsedAt',
  'expiration',
  'secondsUntilExpiration',
  'hasExpired',
  'isRevoked',
  'key',
  'teams',
];

export type Account = KubeObject<ServiceAccountSpec> & { readonly spec: ServiceAccountSpec };

const ACTIONS = [
  'serviceaccounts:read',
  'serviceaccounts:write',
  'serviceaccounts:delete',
  'serviceaccounts.permissions:read',
  'serviceaccounts.permissions:write',
];

export function accountDto(call: LegacyCall, account: Account, tokens: number): Readonly<Record<string, unknown>> {
  const { metadata, spec } = account;
  const { updatedTimestamp } = call.kind('iam/ServiceAccount').ownedKeys;
  const id = call.objects('iam/ServiceAccount').idOf(account);
  const login = serviceAccountLogin(id, spec.title);
  return {
    id,
    uid: metadata.name,
    name: spec.title,
    login,
    orgId: call.organization.id,
    isDisabled: spec.disabled,
    isExternal: false,
    role: spec.role,
    tokens,
    avatarUrl: avatarUrl(login),
    createdAt: metadata.creationTimestamp,
    updatedAt: metadata.annotations?.[updatedTimestamp] ?? metadata.creationTimestamp,
    ...accessControlOf(call, 'iam/ServiceAccount', account, ACTIONS),
  };
}

export function tokenDto(call: LegacyCall, token: KubeObject<TokenSpec>): Readonly<Record<string, unknown>> {
  const { metadata, spec } = token;
  const expires = spec?.expires === undefined ? undefined : Date.parse(spec.expires);
  return {
    id: call.objects('internal/Token').idOf(token),
    name: spec?.title ?? '',
    created: time(Date.parse(metadata.creationTimestamp ?? '')),
    lastUsedAt: spec?.lastUsedAt === undefined ? null : time(Date.parse(spec.lastUsedAt)),
    expiration: expires === undefined ? null : time(expires),
    secondsUntilExpiration: expires === undefined ? 0 : Math.max(0, (expires - call.now()) / 1000),
    hasExpired: expires !== undefined && expires <= call.now(),
    isRevoked: spec?.revoked ?? false,
  };
}
