import { AUTHENTICATED_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import type { Server } from '../harness/server.js';
import { iam } from '../identity/iam.js';
import { fresh } from './legacy.js';

const INTERNAL_ID = 'svc.app/deprecatedInternalID';

/** A stored user, with its identifiers in both APIs. */
export interface Person {
  readonly uid: string;
  readonly id: number;
  readonly login: string;
  readonly email: string;
  /** The user as a caller. */
  readonly info: UserInfo;
}

export interface People {
  /** Creates a user through the resource API. With a role, the user is a member of `default`. */
  person(options?: { readonly role?: string; readonly spec?: object; readonly prefix?: string }): Promise<Person>;
  /** Creates a service account of `default`, and returns it as a caller. */
  robot(role?: string): Promise<UserInfo>;
}

export function peopleOf(server: () => Server): People {
  const { made } = iam(server);
  return {
    person: async ({ role = 'Viewer', spec = {}, prefix = 'person' } = {}) => {
      const uid = fresh(prefix);
      const email = `${uid}@example.com`;
      const user = await made('User', uid, { login: uid, email, name: `Name of ${uid}`, ...spec });
      if (role !== '') await made('OrganizationBinding', uid, { userRef: { name: uid }, role });
      const extra = { 'svc.app/organization': ['default'] };
      const info = { name: uid, uid, groups: [AUTHENTICATED_GROUP], extra };
      return { uid, id: Number(user.metadata.labels?.[INTERNAL_ID]), login: uid, email, info };
    },
    robot: async (role = 'Admin') => {
      const name = fresh('robot');
      await made('ServiceAccount', name, { title: name, role });
      const groups = [AUTHENTICATED_GROUP, 'system:serviceaccounts', 'system:serviceaccounts:default'];
      const extra = { 'svc.app/organization': ['default'] };
      return { name: `system:serviceaccount:default:${name}`, uid: name, groups, extra };
    },
  };
}

/** A stored user as a caller who administers the server. */
export function asAdmin({ info }: Person): UserInfo {
  return { ...info, groups: [...info.groups, 'system:masters'] };
}
