import { unauthorized } from '../status/errors.js';

/** Who is asking, as Kubernetes' authentication.k8s.io UserInfo says it. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /** Whether the credential behind it still counts: asked while a watch goes on, and again in the commit of a write. Absent where it counts as long as the connection. */
  readonly stillValid?: () => boolean;
}

/** Everything is allowed to members; Kubernetes' name for it. */
export const MASTERS_GROUP = 'system:masters';
export const AUTHENTICATED_GROUP = 'system:authenticated';
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
/** The extra that names what a caller came in with, so that it can be told from the caller's other tokens and sessions. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

export const ANONYMOUS: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: [UNAUTHENTICATED_GROUP],
  extra: {},
};

/** Came without a credential, where such callers are let in. */
export function isAnonymous({ groups }: UserInfo): boolean {
  return groups.includes(UNAUTHENTICATED_GROUP);
}

/** Throws 401 once the credential of a caller does not count any more. */
export function assertValid({ stillValid }: UserInfo): void {
  if (stillValid?.() === false) throw unauthorized();
}
