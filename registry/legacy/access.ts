import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Kind } from '../kind.js';

/** What is asked about: an object, or with none the kind as a whole. */
export interface AccessTarget {
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly object?: KubeObject;
}

/** The permission checks that both doors share, as far as the legacy one asks for them. */
export interface LegacyAccess {
  /** Whether the caller has the action on the object, by itself or by what contains it; with no object: on any. */
  has(user: UserInfo, action: string, target: AccessTarget): boolean;
}

/** Members of system:masters have every action, nobody else any. */
export const mastersAccess: LegacyAccess = {
  has: (user) => user.groups.includes(MASTERS_GROUP),
};
