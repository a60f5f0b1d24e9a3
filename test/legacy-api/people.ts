import { AUTHENTICATED_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { Server } from '../harness/server.js';
import { iam } from '../identity/iam.js';
import { fresh } from './legacy.js';

const INTERNAL_ID = 'svc.app/deprecatedInternalID';

/** A user that is kept, as other doors and callers know it. */
export interface Person {
  readonly uid: string;
  readonly id: number;
  readonly login: string;
  readonly email: string;
  /** As a caller. */
  readonly info: UserInfo;
}

export interface People {
  /** Made through the resource door; with a role, a member of `default`. */
  person(options?: { readonly role?: string; readonly spec?: object; readonly prefix?: string }): Promise<Person>;
  /** A caller that is a service account of `default`. */
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

/** Who administers the server, and is a user that is kept. */
export function asAdmin({ info }: Person): UserInfo {
  return { ...info, groups: [...info.groups, 'system:masters'] };
}
