/** Who is asking, as Kubernetes' authentication.k8s.io UserInfo says it. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Everything is allowed to members; Kubernetes' name for it. */
export const MASTERS_GROUP = 'system:masters';
export const AUTHENTICATED_GROUP = 'system:authenticated';
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';

export const ANONYMOUS: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: [UNAUTHENTICATED_GROUP],
  extra: {},
};
