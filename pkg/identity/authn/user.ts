import { unauthorized } from '../../kube/status/errors.js';

/** The caller, as in Kubernetes' authentication.k8s.io UserInfo. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether the credential is still valid. Checked during a watch, and again in the commit of a write. Absent if the
   * credential is valid as long as the connection.
   */
  readonly stillValid?: () => boolean;
}

/** Kubernetes' group whose members may do everything. */
/** The name of the server itself, as the author of writes that no caller asked for. */
export const SERVER_NAME = 'system:apiserver';
export const MASTERS_GROUP = 'system:masters';
export const AUTHENTICATED_GROUP = 'system:authenticated';
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
/** The key in `extra` of the caller's credential id, which tells it from the caller's other tokens and sessions. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

export const ANONYMOUS: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: [UNAUTHENTICATED_GROUP],
  extra: {},
};

export function isAnonymous({ groups }: UserInfo): boolean {
  return groups.includes(UNAUTHENTICATED_GROUP);
}

/**
 * Whether a caller who is looked up again is still the same user with the same groups. Other groups have other
 * permissions.
 */
export function isSameCaller(now: UserInfo | undefined, user: UserInfo): boolean {
  return now === user || (now?.uid === user.uid && now.groups.join() === user.groups.join());
}

/** Throws 401 if the caller's credential is no longer valid. */
export function assertValid({ stillValid }: UserInfo): void {
  if (stillValid?.() === false) throw unauthorized();
}
